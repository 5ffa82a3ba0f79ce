import { createStanding, type StandingOf } from '../../context/standing.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import { mainBranch } from '../../recall/branch.ts';
import type { Scene } from './tool.ts';

/** How far memories can be relied on in the checkout in which the agent works. */
export function standingIn({ top, project, branch }: Scene): StandingOf {
  const commonDir = findCheckout(top)?.commonDir;
  const main = commonDir && mainBranch(commonDir);
  return createStanding({
    top,
    projectId: project?.id ?? null,
    branches: { ...(branch !== undefined && { current: branch }), ...(main !== undefined && { main }) },
  });
}
