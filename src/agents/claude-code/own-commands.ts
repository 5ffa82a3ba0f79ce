/** How the plugin's commands call Cairn. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the client puts the plugin's folder there
const IN_PLUGIN = 'sh "${CLAUDE_PLUGIN_ROOT}/call-cairn.sh"';

/**
 * A command of the plugin, rewritten for use outside the plugin, where `CLAUDE_PLUGIN_ROOT` is not set. `program` is
 * quoted for the shell; its path may contain characters that are special in front matter.
 */
export function parseOwnCommand(text: string, program: string): string {
  return text
    .replaceAll(IN_PLUGIN, () => program)
    .replace(/^allowed-tools: (.*)$/m, (_, rules: string) => `allowed-tools: ${JSON.stringify(rules)}`);
}
