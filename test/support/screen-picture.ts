/** Draws the screen of a terminal and the text that the model was given, as one SVG for the README. */

export interface ScreenPicture {
  title: string;
  description: string;
  panels: { heading: string; lines: string[] }[];
  caption: string;
}

const COLUMNS = 104;
const LINE_HEIGHT = 17;
const HEADING_HEIGHT = 34;
const PANEL_PADDING = 12;

export function drawScreen({ title, description, panels, caption }: ScreenPicture): string {
  let top = 10;
  const body = panels.flatMap(({ heading, lines }) => {
    const panelTop = top + HEADING_HEIGHT;
    const panelHeight = lines.length * LINE_HEIGHT + 2 * PANEL_PADDING;
    const texts = lines.map((line, index) => {
      const y = panelTop + PANEL_PADDING + (index + 1) * LINE_HEIGHT - 4;
      return `  <text class="${classOf(line)}" x="40" y="${y}">${escapeXml(shorten(line))}</text>`;
    });
    const drawn = [
      `  <text class="name" x="24" y="${top + 23}">${escapeXml(heading)}</text>`,
      `  <rect class="page" x="24.5" y="${panelTop + 0.5}" width="791" height="${panelHeight}" rx="6"/>`,
      ...texts,
    ];
    top = panelTop + panelHeight;
    return drawn;
  });
  const height = top + 36;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 ${height}" role="img" aria-labelledby="title desc">
  <title id="title">${escapeXml(title)}</title>
  <desc id="desc">${escapeXml(description)}</desc>
  <style>
    .paper { fill: #ffffff; stroke: #d0d7de; }
    .page { fill: #f6f8fa; stroke: #d0d7de; }
    text { font: 14px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
    .name { font-weight: 600; }
    .small { font-size: 12px; fill: #57606a; }
    .line, .mark { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
    .mark { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; stroke: #30363d; }
      .page { fill: #161b22; stroke: #30363d; }
      text { fill: #e6edf3; }
      .small { fill: #9198a1; }
      .mark { fill: #4493f8; }
    }
  </style>
  <rect class="paper" x="0.5" y="0.5" width="839" height="${height - 1}" rx="8"/>
${body.join('\n')}
  <text class="small" x="24" y="${height - 14}">${escapeXml(caption)}</text>
</svg>
`;
}

/** Cairn's own lines and headings are highlighted. */
function classOf(line: string): string {
  return /Cairn: |^<\/?cairn|^[A-Z][a-z ]+:$/.test(line) ? 'mark' : 'line';
}

function shorten(line: string): string {
  return line.length > COLUMNS ? `${line.slice(0, COLUMNS - 2)} …` : line;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
