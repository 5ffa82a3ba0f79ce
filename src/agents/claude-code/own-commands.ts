/** How the plugin's commands call Cairn. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the client puts the plugin's folder there
const IN_PLUGIN = 'sh "${CLAUDE_PLUGIN_ROOT}/call-cairn.sh"';

/**
 * A command of the plugin as it must be outside of it, where nothing stands for the plugin's folder. `program` is
 * quoted for the shell; its path may hold what means something else in front matter.
 */
export function parseOwnCommand(text: string, program: string): string {
  return text
    .replaceAll(IN_PLUGIN, () => program)
    .replace(/^allowed-tools: (.*)$/m, (_, rules: string) => `allowed-tools: ${JSON.stringify(rules)}`);
}
