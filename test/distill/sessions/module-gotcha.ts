import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

export const moduleGotcha: DistillSession = {
  name: 'module gotcha',
  about: 'Two errors met on the way, each with a way round; the feature itself is small.',
  files: {
    'package.json': `{
  "name": "glossary-site",
  "private": true,
  "type": "module",
  "scripts": { "build": "node build.js" }
}
`,
    'build.js': `import { readFileSync, writeFileSync } from 'node:fs';

const terms = readFileSync('terms.txt', 'utf8').trim().split('\\n').sort();
writeFileSync('index.html', \`<ul>\${terms.map((term) => \`<li>\${term}</li>\`).join('')}</ul>\\n\`);
console.log(\`\${terms.length} terms\`);
`,
    'terms.txt': 'event\nÄußerung\nagent\nspool\n',
    'site.config.example': "module.exports = { locale: 'de', title: 'Glossar' };\n",
  },
  prompts: ['let the build read locale and title from a site.config.js, start from site.config.example'],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [read('build.js'), read('site.config.example'), run('npm run -s build', 'Build as it is', '4 terms')],
        [
          say('I copy the example and load it in the build.'),
          run('git mv site.config.example site.config.js', 'Take the example as the config'),
          edit(
            'build.js',
            "\nconst terms = readFileSync('terms.txt', 'utf8').trim().split('\\n').sort();",
            "\nconst { default: config } = await import('./site.config.js');\nconst { compare } = new Intl.Collator(config.locale);\nconst terms = readFileSync('terms.txt', 'utf8').trim().split('\\n').sort(compare);",
          ),
          edit('build.js', '`<ul>', `\`<h1>\${config.title}</h1><ul>`),
        ],
        [fail('npm run -s build', 'Build', 'module is not defined in ES module scope')],
        [
          say(
            'package.json says `"type": "module"`, so Node takes the `.js` config for an ES module, where `module.exports` does not exist. I rename it to `.cjs`, so that configs of other sites can stay as they are.',
          ),
          run('git mv site.config.js site.config.cjs', 'Name the config as CommonJS'),
          edit('build.js', './site.config.js', './site.config.cjs'),
        ],
        [run('npm run -s build && cat index.html', 'Build again', '<li>agent</li><li>Äußerung</li>')],
        [
          say(`The build reads \`locale\` and \`title\` from \`site.config.cjs\`. The title becomes the heading, and the locale decides how the terms are sorted: "Äußerung" now stands under A and no longer at the end.

**Gotcha:** the config has to be called \`site.config.cjs\`, not \`.js\`. The package is \`"type": "module"\`, so a \`.js\` file with \`module.exports\` fails with "module is not defined in ES module scope". I renamed it rather than rewriting it to \`export default\`, because the other sites share the same CommonJS config.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'gotcha',
        says: ['site.config.cjs', /"?type"?: "?module/, /module is not defined|module\.exports/],
        prompt: 1,
      },
      {
        type: ['feature', 'change'],
        says: ['locale', 'title', 'site.config'],
        files: ['build.js'],
        prompt: 1,
      },
    ],
    niceToHave: [{ type: 'decision', says: [/rather than/, /export default|CommonJS/] }],
    summaries: [
      {
        prompt: 1,
        request: ['site.config.js'],
        learned: [/cjs|ES module/],
        completed: ['locale'],
        filesRead: ['build.js'],
        filesModified: ['build.js'],
      },
    ],
    noise: ['I copy the example', 'file:///', '<li>', 'readFileSync'],
  },
};
