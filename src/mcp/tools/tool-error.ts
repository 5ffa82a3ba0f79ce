/** Said to the model, which can do it better the next time. */
export class ToolError extends Error {
  override name = 'ToolError';
}
