import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const VIEWS = 'orders/views.py';
const TESTS = 'orders/tests/test_list.py';

export const djangoSlowList: DistillSession = {
  name: 'django slow list',
  about: 'A slow page in Django: headings and a table at the end, then a second view, then a commit.',
  files: {
    'manage.py':
      'import sys\n\nfrom django.core.management import execute_from_command_line\n\nexecute_from_command_line(sys.argv)\n',
    'orders/models.py': `from django.db import models


class Customer(models.Model):
    name = models.CharField(max_length=120)


class Order(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT)
    placed_at = models.DateTimeField(auto_now_add=True)


class OrderItem(models.Model):
    order = models.ForeignKey(Order, related_name="items", on_delete=models.CASCADE)
    product = models.ForeignKey("catalog.Product", on_delete=models.PROTECT)
    quantity = models.PositiveIntegerField()
`,
    [VIEWS]: `import csv

from django.http import StreamingHttpResponse
from django.views.generic import ListView, View

from .models import Order


class OrderListView(ListView):
    paginate_by = 25
    queryset = Order.objects.order_by("-placed_at")


class OrderExportView(View):
    def get(self, request):
        rows = (row(order) for order in Order.objects.all())
        return StreamingHttpResponse(rows, content_type="text/csv")
`,
    'orders/templates/orders/order_list.html': `{% for order in object_list %}
<tr><td>{{ order.customer.name }}</td>
<td>{% for item in order.items.all %}{{ item.product.title }}{% endfor %}</td></tr>
{% endfor %}
`,
  },
  prompts: [
    'The order list in the back office takes ages (8-9 seconds on staging). Any idea? Fix it if it is simple.',
    'yes, do the export too',
    'great, commit both',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say("I'll start by looking at the view and the template behind that page."),
          read(VIEWS),
          read('orders/models.py'),
          read('orders/templates/orders/order_list.html'),
        ],
        [run('grep -rn "prefetch_related\\|select_related" orders', 'Look for existing prefetching', '')],
        [
          say('Nothing is prefetched anywhere. Let me count the queries to be sure.'),
          run(
            'python manage.py shell -c "from orders.debug import count; print(count(\'/backoffice/orders/\'))"',
            'Count the queries of the page',
            'queries: 1242\nseconds: 3.1',
          ),
        ],
        [
          say('1242 queries, so an N+1 just as suspected.'),
          edit(
            VIEWS,
            '    queryset = Order.objects.order_by("-placed_at")',
            '    queryset = (\n        Order.objects.select_related("customer")\n        .prefetch_related("lines__product")\n        .order_by("-placed_at")\n    )',
          ),
        ],
        [
          fail(
            'python manage.py test orders',
            'Run the tests of the app',
            `Found 11 test(s).
E
======================================================================
ERROR: test_list (orders.tests.test_list.OrderListTests)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/django/db/models/query.py", line 2351, in prefetch_related_objects
    raise AttributeError(
AttributeError: Cannot find 'lines' on Order object, 'lines__product' is an invalid parameter to prefetch_related()

----------------------------------------------------------------------
Ran 11 tests in 0.412s

FAILED (errors=1)`,
          ),
        ],
        [
          say('My mistake, the related name is `items`.'),
          edit(VIEWS, 'prefetch_related("lines__product")', 'prefetch_related("items__product")'),
          write(
            TESTS,
            `from django.test import TestCase


class OrderListTests(TestCase):
    def test_the_page_needs_four_queries(self):
        with self.assertNumQueries(4):
            self.client.get("/backoffice/orders/")
`,
          ),
        ],
        [
          run(
            'python manage.py test orders',
            'Run the tests again',
            'Found 12 test(s).\n............\n----------------------------------------------------------------------\nRan 12 tests in 0.398s\n\nOK',
          ),
        ],
        [
          say(`## What was wrong

\`OrderListView\` shows 25 orders per page, but the template touches \`order.customer\` and loops over \`order.items.all\` with \`item.product\`, so one page fired **1,242 queries** (a classic N+1).

## What I changed

- \`${VIEWS}\`: the queryset now uses \`select_related("customer")\` and \`prefetch_related("items__product")\`
- \`${TESTS}\`: new test that pins the page at 4 queries with \`assertNumQueries\`

## Result

| | Before | After |
|---|---|---|
| Queries | 1,242 | 4 |
| Time on my machine | 3.1 s | 0.09 s |

Note that the CSV export (\`OrderExportView\`) has the same pattern. I left it alone since you only asked about the list. Want me to do that one too?`),
        ],
        [
          edit(
            VIEWS,
            'for order in Order.objects.all())',
            'for order in Order.objects.select_related("customer").prefetch_related("items__product").iterator(chunk_size=500))',
          ),
        ],
        [run('python manage.py test orders', 'Run the tests', 'Ran 12 tests in 0.401s\n\nOK')],
        [
          say(
            'Done, same treatment for `OrderExportView`: it prefetches customer and products and reads the orders in chunks with `.iterator(chunk_size=500)`. One catch to keep in mind: before Django 4.1 `iterator()` silently ignores `prefetch_related`; this project is on 4.2, so it works here.',
          ),
        ],
        [
          run('git add -A && git status --short', 'Stage the changes', `M  ${VIEWS}\nA  ${TESTS}`),
          run(
            'git commit -m "Fix N+1 queries in order list and export"',
            'Commit',
            '[main a41c9e2] Fix N+1 queries in order list and export\n 2 files changed, 17 insertions(+), 2 deletions(-)',
          ),
        ],
        [say('Committed as `a41c9e2`: "Fix N+1 queries in order list and export".')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'change', 'refactor'],
        says: [/OrderListView|order list/, /N\+1|1,242 queries/, 'select_related', 'prefetch_related'],
        files: [VIEWS],
        prompt: 1,
      },
      {
        type: ['bugfix', 'change', 'refactor', 'feature'],
        says: ['OrderExportView', /iterator|prefetch/],
        files: [VIEWS],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: ['OrderExportView', /same pattern/], prompt: 1 },
      { type: ['gotcha', 'discovery'], says: ['iterator()', 'prefetch_related', '4.1'], prompt: 2 },
      { type: 'change', says: ['Fix N+1 queries'], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['order list'],
        learned: [/N\+1|1,242/],
        completed: ['select_related'],
        filesRead: ['orders/models.py'],
        filesModified: [VIEWS, TESTS],
      },
      { prompt: 2, request: ['export'], completed: ['OrderExportView'], filesModified: [VIEWS] },
      { prompt: 3, optional: true, completed: ['Fix N+1 queries'] },
    ],
    noise: ['Want me to', 'as suspected', 'My mistake', /\|---/, "Cannot find 'lines'", 'OrderListTests'],
  },
};
