import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const VESTING = 'contracts/TeamVesting.sol';
const TEST = 'test/TeamVesting.t.sol';
const LOGIC_MARKER = 'Examine the contract logic of PR 77';
const TESTS_MARKER = 'Examine the test coverage of PR 77';

const PROBE = `node -e "
const total = 1000n * 10n ** 6n, duration = 4n * 31557600n;
console.log('as written', (total / duration) * duration);
console.log('multiply first', (total * duration) / duration);
"`;

export const solidityVestingReviewEn: SurveySession = {
  name: 'solidity vesting review en',
  about:
    'A vesting contract is reviewed with two subagents; one finding is wrong, one falls away, the author asks back.',
  kind: 'review',
  language: 'en',
  ecosystem: 'solidity',
  files: {
    'foundry.toml': '[profile.default]\nsolc = "0.8.24"\noptimizer_runs = 200\n',
    [VESTING]: `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

contract TeamVesting is Ownable, ReentrancyGuard {
    struct Grant { uint128 total; uint128 claimed; uint64 start; uint64 duration; bool revoked; }
    IERC20 public immutable token;
    mapping(address => Grant) public grants;

    function vested(address who) public view returns (uint256) {
        Grant storage g = grants[who];
        if (block.timestamp < g.start) return 0;
        uint256 elapsed = block.timestamp - g.start;
        if (elapsed >= g.duration) return g.total;
        return g.total / g.duration * elapsed;
    }

    function claim() external nonReentrant {
        Grant storage g = grants[msg.sender];
        require(!g.revoked, "revoked");
        uint256 due = vested(msg.sender) - g.claimed;
        g.claimed += uint128(due);
        token.transfer(msg.sender, due);
    }

    function revoke(address who) external onlyOwner {
        Grant storage g = grants[who];
        g.revoked = true;
        token.transfer(owner(), g.total - g.claimed);
    }
}
`,
    [TEST]: `contract TeamVestingTest is Test {
    // 18 decimals, one grant of 1_000_000e18, one year
    function test_claimAtEnd() public {}
    function test_claimHalfway() public {}
    function test_revokeBeforeStart() public {}
}
`,
    'review/77.md': `PR 77: TeamVesting, linear over four years
author: ngozi
token: HLD (6 decimals)
`,
    'contracts/HLD.sol': `contract HLD is ERC20 {
    function decimals() public pure override returns (uint8) { return 6; }
}
`,
  },
  programs: {
    forge: `#!/bin/sh
case "$1" in
  test) echo "[PASS] test_claimAtEnd()"; echo "[PASS] test_claimHalfway()"; echo "[PASS] test_revokeBeforeStart()"; echo "3 passed; 0 failed" ;;
  coverage) echo "| ${VESTING} | 91.67% lines | 50.00% branches |" ;;
esac
`,
  },
  prompts: [
    'Review PR 77 please (review/77.md has the summary). Take two subagents, one on the logic and one on the tests, then check what they say. Do not push or edit, Ngozi makes her own fixes. House style for reviews: labels S1 to S3, five comments at most.',
    'Ngozi replies: fee-on-transfer can go, HLD is our own token, no fees, contract is immutable. She asks whether to make the vesting upgradeable so that we can repair such bugs later. My answer would be no: legal and the auditors at Halden signed off on an immutable contract, so never a proxy for vesting. Anything else from your side on revoke?',
    'ok, and which tests would you ask her for? keep it short',
  ],
  script: (dir) => {
    const { run, read, delegate } = callsIn(dir);
    return {
      main: [
        [
          read('review/77.md'),
          run('git log --oneline -3 && ls contracts test', 'What is in the branch', 'TeamVesting.sol'),
        ],
        [
          delegate(
            'Logic',
            `${LOGIC_MARKER}: ${VESTING}. Look for loss of funds, rounding, access. Answer with a list, most severe first.`,
          ),
          delegate('Tests', `${TESTS_MARKER}: ${TEST}. Which behaviours are untested? Answer with a list.`),
        ],
        [
          say(
            "Both are back. I don't take any of this at face value, so let me recompute the rounding and reread claim.",
          ),
          run(PROBE, 'Rounding for 1000 HLD over four years', 'as written 883612800n'),
          read(VESTING),
          read('contracts/HLD.sol'),
        ],
        [
          say(`### PR 77, five comments

**S1 Division before multiplication.** \`g.total / g.duration * elapsed\` truncates first. HLD has 6 decimals, so a grant of 1000 HLD over four years gives 7 units per second; just before the end 883.61 HLD are vested, and the missing 11.6 % arrive in one jump at the last second. With 18 decimals nobody would notice, which is why the tests are green: they use a token with 18 decimals. Multiply first: \`total * elapsed / duration\`; uint128 times uint64 fits into uint256.

**S1 revoke takes what has already vested.** It sends \`total - claimed\` to the owner. A person who has vested 60 % and claimed nothing loses all of it. It has to be \`total - vested\`, and \`claim\` must stay open for the rest.

**S2 Return value of transfer is ignored.** Use SafeERC20.

**S2 revoke twice.** There is no check on \`g.revoked\`, so a second call drains tokens that belong to other grants.

**S3 Fee-on-transfer tokens** would leave the contract short.

Dropped: the logic subagent reported a reentrancy in \`claim\`. That's not one: it is \`nonReentrant\` and \`claimed\` is written before the transfer.`),
        ],
        [
          say('Let me look at what happens to the grant after revoke.'),
          run(`grep -n "revoked" ${VESTING}`, 'Uses of revoked', 'require(!g.revoked'),
          run(
            'grep -rn "delegatecall\\|Initializable\\|UUPS" contracts || echo "no proxy anywhere"',
            'Proxies in the repository',
            'no proxy anywhere',
          ),
        ],
        [
          say(`Agreed on both: the fee-on-transfer comment is withdrawn, and no proxy. An upgradeable vesting would also turn the owner key into a key to everybody's grants, which is worse than the bugs.

On revoke there is one more thing. \`vested()\` keeps growing after a revocation, because nothing freezes the time. Once \`claim\` stays open for the vested part, a revoked person would go on vesting. So revoke has to write a \`revokedAt\` timestamp and \`vested\` has to cap elapsed at it; a bool is not enough. I'd merge that into the second S1 so we stay at five comments.

Since the contract can't be changed after deployment, both S1 must be fixed before the token event on 14 March. A workaround for a deployed contract does not exist.`),
        ],
        [run('forge test && forge coverage', 'Suite and coverage', '50.00% branches')],
        [
          say(`Four:

1. everything with 6 decimals, using the real HLD and not a mock
2. fuzz: vested is monotonic, and at 99 % of the time at least 98.9 % are vested
3. revoke at 60 %: the person can still claim 60 %, not a unit more a year later
4. second revoke reverts, other grants untouched

Line coverage of 91.67 % looks good but branches are at 50 %; I would quote only the branch number in reviews. That's it from me, good luck with the audit!`),
        ],
      ],
      subagents: {
        [LOGIC_MARKER]: [
          [read(VESTING)],
          [
            say(`1. CRITICAL: reentrancy in claim, external call to token.
2. HIGH: revoke sends total - claimed, including vested tokens.
3. HIGH: division before multiplication in vested().
4. MEDIUM: revoke can be called twice.
5. LOW: fee-on-transfer, unchecked return value.`),
          ],
        ],
        [TESTS_MARKER]: [
          [read(TEST), run('forge test', 'Run the suite', '3 passed')],
          [
            say(
              'Untested: revoke after start, second revoke, claim after revoke, small grants. The suite uses an 18 decimals mock while HLD has 6.',
            ),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/division|truncates|multiply first/i, /6 decimals|883|11\.6/, /vested|total/],
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/revoke/, /total - (claimed|vested)/, /vested/],
      },
      {
        type: ['preference', 'decision'],
        says: [/proxy|upgradeable/, /legal|Halden|auditors/, /immutable/],
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/revokedAt|keeps growing|go on vesting/, /vested/, /revo/],
      },
      { type: ['preference'], says: [/S1/, /five comments/] },
      { type: ['discovery', 'gotcha'], says: [/revoke/, /twice|second call/, /other grants|drains/] },
      {
        type: ['decision', 'preference', 'gotcha', 'discovery'],
        says: [/14 March|before/, /deploy/, /S1|fixed/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'decision', 'preference', 'gotcha'],
        says: [/fee-on-transfer/, /own token|no fees|withdrawn/],
      },
      { type: ['discovery', 'gotcha'], says: [/reentrancy/, /nonReentrant/] },
      { type: ['discovery', 'gotcha', 'decision', 'preference'], says: [/branch/, /50/, /91\.67|coverage/] },
      { type: ['preference', 'decision'], says: [/Ngozi/, /own fixes|do not push/] },
      { type: ['decision', 'discovery', 'how-it-works'], says: [/fuzz|monotonic|real HLD/] },
    ],
    summaries: [
      { prompt: 1, request: [/PR 77/], learned: [/revoke|division|decimals/i] },
      { prompt: 2, request: [/revoke|upgradeable/], learned: [/revokedAt|vested/] },
      { prompt: 3, request: [/tests/], learned: [/branch|6 decimals|fuzz/] },
    ],
    noise: [
      'good luck with the audit',
      'at face value',
      'Both are back',
      'Answer with a list',
      'keep it short',
    ],
    untrue: [
      /CRITICAL: reentrancy/,
      /Fee-on-transfer tokens\W* would leave the contract short/,
      /(fixed|changed|replaced|added)[^.]{0,30}in .?contracts\/TeamVesting/,
    ],
    followUps: [
      {
        asks: 'for the advisors contract: should I use UUPS so we stay flexible?',
        says: [/immutable/, /proxy/],
      },
      {
        asks: 'small grants pay out too little until the very last day, is that known?',
        says: [/11\.6|truncates|division/i],
      },
      {
        asks: 'somebody leaves the company, what may the owner claw back?',
        says: [/total - vested|already vested/],
      },
      { asks: 'please review PR 91', says: [/five comments/] },
      { asks: 'slither complains about reentrancy in claim(), do we care?', says: [/nonReentrant/] },
    ],
    unrelated: [
      'add a GitHub action that runs forge fmt --check',
      'how do I verify a contract on Etherscan from the command line?',
      'rename the deploy script folder from script/ to deploy/',
    ],
  },
};
