import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const JOB = 'app/jobs/erase_customer_job.rb';
const CUSTOMER = 'app/models/customer.rb';
const SPEC = 'spec/jobs/erase_customer_job_spec.rb';
const MERGE = 'app/services/customer_merge.rb';

export const erasureReview: SurveySession = {
  name: 'erasure review',
  about: 'Review of a privacy job; two findings do not survive, and only one of the others is fixed here.',
  kind: 'review',
  language: 'en',
  ecosystem: 'rails',
  files: {
    Gemfile: `source 'https://rubygems.org'
gem 'rails', '~> 7.2'
gem 'sidekiq'
gem 'paper_trail'
gem 'searchkick'
gem 'gibbon'
`,
    [JOB]: `class EraseCustomerJob < ApplicationJob
  queue_as :default
  retry_on StandardError, attempts: 5, wait: :polynomially_longer

  def perform(customer_id)
    customer = Customer.find(customer_id)
    return if customer.erased_at

    customer.orders.update_all(shipping_name: nil, shipping_phone: nil)
    customer.support_notes.delete_all
    Newsletter.unsubscribe!(customer.email)
    customer.update!(
      email: "erased-#{customer.id}@invalid.example", name: 'Erased', phone: nil, erased_at: Time.current
    )
    ErasureMailer.done(customer.email).deliver_later
  end
end
`,
    [CUSTOMER]: `class Customer < ApplicationRecord
  has_paper_trail
  has_many :orders
  has_many :invoices
  has_many :support_notes
end
`,
    'app/models/order.rb': `class Order < ApplicationRecord
  belongs_to :customer
  # search_vector is a stored generated column, see db/structure.sql
  scope :search, ->(q) { where('search_vector @@ websearch_to_tsquery(?)', q) }
end
`,
    'app/models/support_note.rb': `class SupportNote < ApplicationRecord
  belongs_to :customer, optional: true
  has_many_attached :files
end
`,
    'app/models/concerns/searchable.rb': `module Searchable
  extend ActiveSupport::Concern
  included { searchkick callbacks: :async }
end
`,
    'app/models/product.rb': 'class Product < ApplicationRecord\n  include Searchable\nend\n',
    'app/services/newsletter.rb': `module Newsletter
  def self.unsubscribe!(email)
    Gibbon::Request.lists(LIST).members(Digest::MD5.hexdigest(email.downcase)).delete
  end
end
`,
    [MERGE]: `class CustomerMerge
  def call(keep:, duplicate:)
    Customer.transaction do
      duplicate.orders.update_all(customer_id: keep.id)
      duplicate.invoices.update_all(customer_id: keep.id)
      duplicate.destroy!
    end
  end
end
`,
    'docs/search.md': `# Search

Products, orders and customers are indexed in Elasticsearch through the Searchable concern.
`,
    [SPEC]: `RSpec.describe EraseCustomerJob do
  let(:customer) { create(:customer, email: 'ada@example.com') }

  before { allow(Newsletter).to receive(:unsubscribe!) }

  it 'blanks the customer' do
    described_class.perform_now(customer.id)
    expect(customer.reload).to have_attributes(name: 'Erased', phone: nil)
  end

  it 'removes the support notes' do
    create(:support_note, customer: customer)
    described_class.perform_now(customer.id)
    expect(customer.support_notes.count).to eq 0
  end
end
`,
  },
  programs: {
    bundle: `case "$*" in
  *runner*)
    echo "SupportNote Update All (1.8ms)  UPDATE support_notes SET customer_id = NULL WHERE support_notes.customer_id = 4711"
    echo "=> SupportNote.where(customer_id: nil).count: 3118" ;;
  *rspec*)
    if grep -q 'SupportNote.exists' spec/jobs/erase_customer_job_spec.rb && ! grep -q 'SupportNote.where' app/jobs/erase_customer_job.rb; then
      echo "  1) EraseCustomerJob deletes the rows of the support notes"
      echo "     Failure/Error: expect(SupportNote.exists?(note.id)).to be false"
      echo "       expected false, got true"
      echo "3 examples, 1 failure"
      exit 1
    fi
    echo "$(grep -c '^  it ' spec/jobs/erase_customer_job_spec.rb) examples, 0 failures" ;;
esac
`,
  },
  prompts: [
    `Could you review ${JOB}? Priya wrote it for the GDPR deletion requests and it is supposed to ship on Thursday. Blockers and nits separately please, and no edits.`,
    "Two remarks. The paper_trail one is not a blocker: versions of customers with erased_at set are scrubbed every night by rake versions:scrub, and invoice versions we're obliged to keep for ten years, finance insists. And are you sure about Elasticsearch? I was under the impression orders left it last year.",
    "Good. Then please fix only the support notes, with a spec that would have caught it. Mail and newsletter are Priya's, she wants to do those herself. Don't use destroy for notes by the way, the attachment blobs go through the bucket's 30-day lifecycle rule and purging them one by one has clogged Sidekiq before.",
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("I'll read the job with everything it touches."),
          read(JOB),
          read(CUSTOMER),
          read('app/models/support_note.rb'),
          read('app/services/newsletter.rb'),
          read(SPEC),
        ],
        [
          say(
            '`delete_all` on an association without a `dependent` option is worth checking; if I remember the Rails docs right it nullifies. Let me see the SQL instead of trusting my memory.',
          ),
          run(
            "bundle exec rails runner 'Customer.find(4711).support_notes.delete_all; p SupportNote.where(customer_id: nil).count' -e development",
            'SQL of delete_all on the association',
            'SET customer_id = NULL',
          ),
          run('cat docs/search.md', 'What is indexed', 'Products, orders and customers'),
        ],
        [
          say(`## Review of \`EraseCustomerJob\`

### Blockers

| # | Where | What happens |
|---|---|---|
| 1 | \`customer.support_notes.delete_all\` | Deletes nothing. \`has_many :support_notes\` has no \`dependent\`, so Rails falls back to nullify: \`UPDATE support_notes SET customer_id = NULL\`. The note bodies (names, phone numbers, sometimes health details) stay, just without an owner. The spec is blind to it, because it counts through the association. The development copy already has 3118 such orphans. |
| 2 | \`ErasureMailer.done(customer.email)\` | Reads the address after \`update!\`, so the confirmation goes to \`erased-<id>@invalid.example\`. The customer never hears from us. |
| 3 | \`Newsletter.unsubscribe!\` before \`update!\` | Not safe to retry. If \`update!\` fails after the member is gone at Mailchimp, each further attempt gets a 404 (\`Gibbon::MailChimpError\`) and the job dies after 5 attempts with the customer half erased. |
| 4 | \`orders.update_all\` | Skips callbacks, so the Elasticsearch documents of the orders keep \`shipping_name\`. Needs a reindex. |
| 5 | \`has_paper_trail\` | The \`versions\` table keeps the old name and e-mail for good. |

### Nits

- \`queue_as :default\` puts it in line with the order mails; \`:low\` would do.
- The spec stubs \`Newsletter\` completely, so the 404 case cannot show up.

I would hold Thursday until at least 1 to 3 are done.`),
        ],
        [
          say('Fair on the versions. For search I went by the docs, let me look at the code.'),
          run('grep -rn "Searchable\\|searchkick" app', 'Who is indexed', 'app/models/product.rb'),
          read('app/models/order.rb'),
        ],
        [
          say(`You are right, I take number 4 back. \`Searchable\` is only included in \`Product\`; orders are searched through \`search_vector\`, a stored generated column, which Postgres recomputes by itself on any update, \`update_all\` included. \`docs/search.md\` still claims products, orders and customers are in Elasticsearch, which is what misled me. It is out of date and should be corrected.

Number 5 is gone as well, given the nightly scrub. One thing to keep in mind there: \`versions:scrub\` goes by \`erased_at\`, so a job that dies before \`update!\` (number 3) leaves the versions unscrubbed too.

Which leaves three blockers: support notes, mail address, newsletter retry.`),
        ],
        [
          say(
            'The obvious change is `dependent: :delete_all` on the association. Before I do that I want to know who else destroys customers.',
          ),
          run('grep -rn "destroy" app', 'Who destroys customers', 'duplicate.destroy!'),
          read(MERGE),
        ],
        [
          say(
            '`CustomerMerge` destroys the duplicate and moves orders and invoices over, but not the notes. With `dependent: :delete_all` every merge would silently delete the notes of the duplicate. So the deletion belongs into the job, not on the model. Spec first.',
          ),
          edit(
            SPEC,
            '    expect(customer.support_notes.count).to eq 0\n  end\n',
            "    expect(customer.support_notes.count).to eq 0\n  end\n\n  it 'deletes the rows of the support notes' do\n    note = create(:support_note, customer: customer)\n    described_class.perform_now(customer.id)\n    expect(SupportNote.exists?(note.id)).to be false\n  end\n",
          ),
        ],
        [fail(`bundle exec rspec ${SPEC}`, 'The new spec against the old job', 'expected false, got true')],
        [
          edit(
            JOB,
            'customer.support_notes.delete_all',
            '# Through the association, delete_all would only nullify customer_id.\n    SupportNote.where(customer_id: customer.id).delete_all',
          ),
        ],
        [run(`bundle exec rspec ${SPEC}`, 'The new spec against the new job', '3 examples, 0 failures')],
        [
          say(`Done, three examples green.

- \`${JOB}\`: \`SupportNote.where(customer_id: customer.id).delete_all\` in place of the association call. Rows are really deleted, no callbacks, attachments are left to the bucket lifecycle.
- \`${SPEC}\`: a spec that looks for the row itself; it was red against the old line.
- Not on the model: \`dependent: :delete_all\` would make \`CustomerMerge\` lose the notes of the duplicate. By the same token merges leave orphaned notes today, which is where I suspect the 3118 come from. Those still contain personal data and nobody can tie them to an erasure request any more; somebody has to decide what to do with them.

Open for Priya: mail address read after \`update!\`, newsletter call before it.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/support_notes|SupportNote/, /delete_all/, /nullif|customer_id = NULL/],
      },
      {
        type: ['bugfix', 'change'],
        says: [/SupportNote\.where/, /delete_all/],
        files: [JOB],
        prompt: 3,
      },
      {
        type: ['decision', 'gotcha', 'discovery', 'bugfix'],
        says: [/dependent: :delete_all/, /CustomerMerge|merge/],
      },
      {
        type: ['preference', 'decision', 'discovery', 'how-it-works', 'gotcha'],
        says: [/invoice versions/, /ten years/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/mail|address|ErasureMailer/, /after .?update!|erased-<id>@invalid/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/newsletter|Mailchimp/, /404|retry/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/destroy/, /lifecycle|Sidekiq/],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/search_vector/, /generated column/],
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/docs\/search\.md/, /out of date|still claims/],
      },
      { type: ['discovery', 'gotcha'], says: [/3118/, /orphan|personal data/] },
      {
        type: ['discovery', 'how-it-works', 'preference', 'gotcha', 'decision'],
        says: [/versions:scrub/, /erased_at/],
      },
      {
        type: ['preference', 'decision', 'discovery', 'change'],
        says: [/Priya/, /mail/, /newsletter/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/review/, /erase_customer_job/],
        learned: [/nullify|NULL/],
        filesRead: [JOB, CUSTOMER],
      },
      {
        prompt: 2,
        request: [/paper_trail|Elasticsearch/],
        learned: [/search_vector|Searchable/],
        filesRead: ['app/models/order.rb'],
      },
      {
        prompt: 3,
        request: [/support notes/],
        completed: [/SupportNote|rows are really deleted|spec/],
        nextSteps: [/Priya|3118|mail address/],
        filesModified: [JOB, SPEC],
      },
    ],
    noise: [
      'with everything it touches',
      'instead of trusting my memory',
      'let me look at the code',
      'Spec first',
      'Good. Then please fix only',
      'Fair on the versions',
      'Done, three examples green',
    ],
    untrue: [
      /Elasticsearch documents of the orders keep/,
      /versions.{0,8} table keeps the old name and e-mail for good/,
      /Needs a reindex/,
      /^Products, orders and customers are indexed in Elasticsearch/im,
    ],
    followUps: [
      {
        asks: 'What is still open on EraseCustomerJob before it can go live, and who has it?',
        says: [/Priya/, /mail|newsletter/],
      },
      {
        asks: 'I would like has_many :support_notes to get a dependent option so we stop collecting orphans. Fine?',
        says: [/merge/, /duplicate|lose|silently delete/],
      },
      {
        asks: 'auditor wants to know: do we wipe the change history of a person who asked to be forgotten?',
        says: [/versions:scrub|scrub/],
      },
      {
        asks: 'how long do we hold on to old revisions of invoices?',
        says: [/ten years/],
      },
      {
        asks: 'Does changing orders with update_all mess up the order search?',
        says: [/search_vector|generated column/],
      },
      {
        asks: 'there are thousands of rows in support_notes with customer_id null, where do they come from',
        says: [/nullif|CustomerMerge|merges leave/],
      },
      {
        asks: 'Writing a cleanup task that calls note.destroy in batches, ok?',
        says: [/lifecycle|Sidekiq/],
      },
    ],
    unrelated: [
      'Add a currency dropdown to the price list editor, EUR and CHF are enough for now.',
      'which ruby version are we on and can we move to 3.4',
      'the product page throws a 500 when the slug has an umlaut',
    ],
  },
};
