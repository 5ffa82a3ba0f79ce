export const MODE_NAMES = {
  idle: 'idle',
  has_plan: 'has a plan',
  has_handoff: 'handoff ready',
  active: 'in progress',
};
