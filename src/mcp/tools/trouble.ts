/** Said to the model, which can do it better the next time. */
export class ToolTrouble extends Error {
  override name = 'ToolTrouble';
}
