/** An error that the model can correct. */
export class ToolError extends Error {
  override name = 'ToolError';
}
