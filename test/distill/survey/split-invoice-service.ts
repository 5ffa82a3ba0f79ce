import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MAIN = 'src/main/java/com/acme/billing';
const SERVICE = `${MAIN}/InvoiceService.java`;
const TAX = `${MAIN}/TaxCalculator.java`;
const AUDIT = `${MAIN}/AuditWriter.java`;
const ROLLBACK = 'src/test/java/com/acme/billing/AuditRollbackTest.java';
const RENUMBER = 'scripts/renumber.groovy';
const CALLERS = 'Map every caller of InvoiceService';

const taxMethods = `    private BigDecimal lineTax(InvoiceLine line) {
        return line.net().multiply(TAX_RATE).setScale(2, RoundingMode.HALF_EVEN);
    }

    private BigDecimal total(List<InvoiceLine> lines) {
        BigDecimal sum = BigDecimal.ZERO;
        for (InvoiceLine line : lines) sum = sum.add(line.net()).add(lineTax(line));
        return sum.setScale(2, RoundingMode.HALF_UP);
    }

`;

const auditMethod = `    @Transactional(propagation = Propagation.REQUIRES_NEW)
    void writeAudit(Invoice invoice) {
        jdbc.update("insert into invoice_audit(number, total) values (?, ?)", invoice.number(), invoice.total());
    }

`;

const calculator = (lineMode: string) => `package com.acme.billing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

final class TaxCalculator {
    private static final BigDecimal TAX_RATE = new BigDecimal("0.19");

    BigDecimal lineTax(InvoiceLine line) {
        return line.net().multiply(TAX_RATE).setScale(2, RoundingMode.${lineMode});
    }

    BigDecimal total(List<InvoiceLine> lines) {
        BigDecimal sum = BigDecimal.ZERO;
        for (InvoiceLine line : lines) sum = sum.add(line.net()).add(lineTax(line));
        return sum.setScale(2, RoundingMode.HALF_UP);
    }
}
`;

export const splitInvoiceService: SurveySession = {
  name: 'split-invoice-service',
  about: 'Taking a Spring service apart without changing what it does, where a proxy would change it.',
  kind: 'refactoring',
  language: 'en',
  ecosystem: 'java',
  files: {
    '.gitignore': 'build/\n.gradle/\n',
    'build.gradle':
      "plugins { id 'java'; id 'org.springframework.boot' version '3.2.5' }\njava { toolchain { languageVersion = JavaLanguageVersion.of(21) } }\n",
    [SERVICE]: `package com.acme.billing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

@Service
public class InvoiceService {
    private static final BigDecimal TAX_RATE = new BigDecimal("0.19");
    private final JdbcTemplate jdbc;

    public InvoiceService(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Transactional
    public Invoice issue(Customer customer, List<InvoiceLine> lines) {
        Invoice invoice = new Invoice(nextNumber(), customer, lines, total(lines));
        writeAudit(invoice);
        jdbc.update("insert into invoice(number, total) values (?, ?)", invoice.number(), invoice.total());
        return invoice;
    }

${taxMethods}${auditMethod}    String nextNumber() {
        return jdbc.queryForObject("select 'R-' || nextval('invoice_no')", String.class);
    }
}
`,
    [`${MAIN}/InvoiceController.java`]:
      'package com.acme.billing;\n\nclass InvoiceController { InvoiceService invoices; }\n',
    [`${MAIN}/MonthlyRun.java`]:
      'package com.acme.billing;\n\nclass MonthlyRun { InvoiceService invoices; }\n',
    [ROLLBACK]: `package com.acme.billing;

class AuditRollbackTest {
    @Test
    void nothingIsAuditedWhenTheInvoiceFails() {
        assertThrows(DataAccessException.class, () -> invoices.issue(blocked, lines));
        assertEquals(0, auditRows());
    }
}
`,
    [RENUMBER]:
      "// run by accounting at year end\ndef next = invoiceService.class.getDeclaredMethod('nextNumber')\nnext.accessible = true\nprintln next.invoke(invoiceService)\n",
    'src/test/resources/golden/2023-114.xml': '<invoice number="R-114"><total>119.98</total></invoice>\n',
  },
  programs: {
    gradle: `#!/bin/sh
echo "> Task :compileJava"
bad=0
if [ -f ${TAX} ] && ! grep -q HALF_EVEN ${TAX}; then
  echo "GoldenInvoiceTest > 2023-114.xml FAILED"; echo "    expected: <total>119.98</total> but was: <total>119.99</total>"; bad=1
fi
if [ -f ${AUDIT} ] && grep -q '^    @Transactional' ${AUDIT}; then
  echo "AuditRollbackTest > nothingIsAuditedWhenTheInvoiceFails() FAILED"; echo "    org.opentest4j.AssertionFailedError: expected: <0> but was: <1>"; bad=1
fi
if [ $bad = 1 ]; then echo "64 tests completed, 1 failed"; echo "FAILURE: Build failed with an exception." >&2; exit 1; fi
echo "> Task :test"; echo; echo "BUILD SUCCESSFUL in 21s"; echo "5 actionable tasks: 3 executed, 2 up-to-date"
`,
  },
  prompts: [
    'InvoiceService does everything, please take it apart: tax, audit and numbering into classes of their own. pure refactoring, the golden xml must stay byte for byte what it is. new classes package-private, no lombok, one commit per extraction so that I can revert them one by one',
    "audit: keep what it does today, i.e. gone with the invoice. the auditors signed off on exactly that in march. so drop the annotation, it's a lie. rounding: hands off, two customers' SAP import recomputes the line taxes with half even and rejects the file otherwise. say so in a comment there",
    'thx. leave numbering as is then, Tomasz replaces that script in Q3',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say("I'll read the service and have the callers mapped in parallel."),
          read(SERVICE),
          delegate(
            'Map callers',
            `${CALLERS}, including tests, scripts and anything that goes through reflection. Report only.`,
          ),
          run('gradle test', 'Baseline', 'BUILD SUCCESSFUL'),
        ],
        [
          say(
            "Green baseline. Starting with tax. The line tax rounds HALF_EVEN and the total HALF_UP, which looks like an accident, so I'd like to see whether one mode does for both.",
          ),
          write(TAX, calculator('HALF_UP')),
          edit(SERVICE, taxMethods, ''),
          edit(
            SERVICE,
            '    private static final BigDecimal TAX_RATE = new BigDecimal("0.19");\n',
            '    private final TaxCalculator tax = new TaxCalculator();\n',
          ),
          edit(SERVICE, 'customer, lines, total(lines)', 'customer, lines, tax.total(lines)'),
          edit(SERVICE, 'import java.math.BigDecimal;\nimport java.math.RoundingMode;\n', ''),
        ],
        [fail('gradle test', 'Run all tests', '119.99')],
        [
          say(
            'One cent off in 2023-114.xml. So the two modes are not interchangeable, and I restore HALF_EVEN for the lines.',
          ),
          edit(
            TAX,
            'multiply(TAX_RATE).setScale(2, RoundingMode.HALF_UP)',
            'multiply(TAX_RATE).setScale(2, RoundingMode.HALF_EVEN)',
          ),
        ],
        [
          run(
            'gradle test -q && git add -A && git commit -qm "Extract TaxCalculator from InvoiceService" && git log --oneline -1',
            'Test and commit',
            'TaxCalculator',
          ),
        ],
        [
          say('Next: audit, as a bean of its own.'),
          write(
            AUDIT,
            `package com.acme.billing;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

@Component
class AuditWriter {
    private final JdbcTemplate jdbc;

    AuditWriter(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

${auditMethod.trimEnd()}
}
`,
          ),
          edit(SERVICE, auditMethod, ''),
          edit(SERVICE, '        writeAudit(invoice);', '        audit.writeAudit(invoice);'),
          edit(
            SERVICE,
            '    public InvoiceService(JdbcTemplate jdbc) {\n        this.jdbc = jdbc;\n',
            '    private final AuditWriter audit;\n\n    public InvoiceService(JdbcTemplate jdbc, AuditWriter audit) {\n        this.jdbc = jdbc;\n        this.audit = audit;\n',
          ),
          edit(SERVICE, 'import org.springframework.transaction.annotation.Propagation;\n', ''),
        ],
        [fail('gradle test', 'Run all tests', 'expected: <0> but was: <1>')],
        [read(ROLLBACK)],
        [
          say(
            "Now this is a trap worth knowing. In the old class `writeAudit` was called through `this`, so Spring's proxy never saw it and `REQUIRES_NEW` had no effect at all: the audit row rolled back together with the invoice. As a separate bean the annotation suddenly works, and the row survives a failed invoice.\n\nThat is a change of behaviour, and not mine to make. I take this extraction back until you have decided.",
          ),
          run(
            `git checkout -- ${SERVICE} && rm ${AUDIT} && git status --short`,
            'Take the audit extraction back',
          ),
        ],
        [run('gradle test -q && git log --oneline -2', 'Make sure it is green', 'TaxCalculator')],
        [
          say(
            `Tax is out, the other two need you.

## Done
\`TaxCalculator\` is extracted and committed, golden files unchanged.

## Needs a decision
1. **Audit** – extracted as its own bean, \`REQUIRES_NEW\` becomes effective and audit rows outlive a rollback. Do you want today's behaviour or what the annotation promises?
2. **Rounding** – per line HALF_EVEN, in total HALF_UP. Deliberate?

## Numbering
I did not move it: the caller map shows that accounting's \`scripts/renumber.groovy\` gets at \`nextNumber\` by reflection, so the compiler would not notice the method leaving the class.

The codebase is already looking a lot cleaner! Shall I go on with the audit part?`,
          ),
        ],
        [
          say('Clear. The audit extraction again, this time without the annotation.'),
          read(SERVICE),
          read(TAX),
        ],
        [
          write(
            AUDIT,
            `package com.acme.billing;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Part of the caller's transaction on purpose: no invoice, no audit row. */
@Component
class AuditWriter {
    private final JdbcTemplate jdbc;

    AuditWriter(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void write(Invoice invoice) {
        jdbc.update("insert into invoice_audit(number, total) values (?, ?)", invoice.number(), invoice.total());
    }
}
`,
          ),
          edit(SERVICE, auditMethod, ''),
          edit(SERVICE, '        writeAudit(invoice);', '        audit.write(invoice);'),
          edit(
            SERVICE,
            '    public InvoiceService(JdbcTemplate jdbc) {\n        this.jdbc = jdbc;\n',
            '    private final AuditWriter audit;\n\n    public InvoiceService(JdbcTemplate jdbc, AuditWriter audit) {\n        this.jdbc = jdbc;\n        this.audit = audit;\n',
          ),
          edit(SERVICE, 'import org.springframework.transaction.annotation.Propagation;\n', ''),
        ],
        [run('gradle test', 'Run all tests', 'BUILD SUCCESSFUL')],
        [
          run(
            'git add -A && git commit -qm "Extract AuditWriter, without the REQUIRES_NEW that never applied" && git log --oneline -1',
            'Commit',
            'AuditWriter',
          ),
        ],
        [
          edit(
            TAX,
            '    BigDecimal lineTax(',
            "    // Not HALF_UP as in the total: customers' SAP imports recompute the line taxes with HALF_EVEN.\n    BigDecimal lineTax(",
          ),
          run(
            'gradle test -q && git commit -qam "Say why line taxes round half even" && git log --oneline -3',
            'Test and commit',
            'half even',
          ),
        ],
        [
          say(
            'Both done: `AuditWriter` joins the transaction of the caller, so the audit row disappears with a failed invoice as it always did, and the rounding has its comment. Three commits, each revertable on its own.\n\nStill inside `InvoiceService`: numbering, because of the Groovy script. I could leave a delegating `nextNumber` behind if you like.',
          ),
        ],
        [say('Will do, numbering stays where it is. Have a nice weekend!')],
      ],
      subagents: {
        [CALLERS]: [
          [
            run(
              'grep -rn "InvoiceService\\|invoiceService" src scripts --include=*.java --include=*.groovy',
              'Find callers',
              'renumber.groovy',
            ),
          ],
          [read(RENUMBER)],
          [
            say(
              '- `InvoiceController`, `MonthlyRun`: only `issue`\n- `scripts/renumber.groovy`, run by accounting at year end: looks up `nextNumber` with `getDeclaredMethod`, so moving or renaming it breaks the script at run time and no compiler or test will tell',
            ),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: ['REQUIRES_NEW', /proxy|through `?this|bean/, /effect|surviv|outlive/],
        prompt: 1,
      },
      {
        type: ['preference', 'decision'],
        says: [/audit/, /signed off|gone with the invoice|annotation/, /march|today|lie/],
        prompt: 2,
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: ['SAP', /half.even/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: ['renumber.groovy', 'nextNumber', /reflection|getDeclaredMethod/],
        prompt: 1,
      },
      { type: ['preference'], says: [/golden/, /byte for byte/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['preference'], says: [/package-private/, /lombok/], prompt: 1 },
      { type: ['preference'], says: [/one commit per extraction/], prompt: 1 },
      {
        type: ['refactor', 'change'],
        says: ['TaxCalculator', /extract/],
        prompt: 1,
      },
      {
        type: ['refactor', 'change', 'decision'],
        says: ['AuditWriter', /transaction|annotation|REQUIRES_NEW/],
        files: [AUDIT],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/2023-114|one cent/i, /HALF_EVEN|interchangeable/],
        prompt: 1,
      },
      { type: ['decision', 'preference'], says: [/Tomasz/, /Q3/], prompt: 3 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/take it apart/],
        learned: [/REQUIRES_NEW/],
        completed: [/TaxCalculator/],
        nextSteps: [/audit/],
        filesModified: [TAX, SERVICE],
      },
      {
        prompt: 2,
        request: [/audit/],
        completed: [/AuditWriter/],
        filesModified: [AUDIT, TAX],
      },
      { prompt: 3, optional: true, request: [/numbering/] },
    ],
    noise: [
      'have the callers mapped in parallel',
      'looking a lot cleaner',
      'Shall I go on with the audit part',
      'Have a nice weekend',
      'Green baseline',
      'BUILD SUCCESSFUL',
      'I could leave a delegating',
      'looks like an accident',
    ],
    untrue: [
      /(numbering|nextNumber) (was|is|has been) (extracted|moved)/,
      /audit rows? (now )?(survives?|outlives?) (a |the )?(rollback|failed invoice) (now|on purpose|by design)/,
      /total(s)? (and|as well as) line(s| taxes)? (both )?round(s|ed)? HALF_UP/,
    ],
    followUps: [
      {
        asks: 'I want a log table entry to stay even if the surrounding save blows up; is putting @Transactional on a helper in the same class enough?',
        says: ['REQUIRES_NEW', /proxy|this/],
      },
      {
        asks: "shouldn't a failed billing attempt leave a trace in invoice_audit? please make it so",
        says: [/audit/, /signed off|gone with the invoice/],
      },
      {
        asks: 'unify the RoundingMode across the billing package',
        says: ['SAP', /half.even/],
      },
      {
        asks: 'rename nextNumber to allocateNumber everywhere',
        says: ['renumber.groovy'],
      },
      {
        asks: 'who was going to take care of the year-end script, and when?',
        says: [/Tomasz/, /Q3/],
      },
    ],
    unrelated: [
      'add pagination to the customer search endpoint',
      'why is the docker image of this project 900 MB?',
      'write a test for the dunning letter PDF header',
    ],
  },
};
