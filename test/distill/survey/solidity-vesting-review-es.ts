import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const VESTING = 'contracts/Vesting.sol';
const TESTS = 'test/Vesting.t.sol';
const POC = 'test/VestingRevoke.t.sol';
const LAYOUT = 'docs/storage-layout.md';

const FORGE = `#!/bin/sh
case "$*" in
  *match-contract\\ Poc*)
    echo "[FAIL: ERC20InsufficientBalance(0x5615, 0, 400)] test_lastBeneficiaryCannotClaim() (gas: 214771)"
    echo "Suite result: FAILED. 0 passed; 1 failed"; exit 1 ;;
  *match-test\\ reenter*)
    echo "[PASS] test_reenterClaimGetsNothing() (gas: 98114)"
    echo "Suite result: ok. 1 passed" ;;
  *gas-report*) printf '| createGrant | 118204 |\\n| claim | 48310 |\\n| revoke | 39877 |\\n' ;;
  *coverage*) printf '| contracts/Vesting.sol | 96.4%% lines | 61.1%% branches |\\n' ;;
  test*) echo "Suite result: ok. 17 passed; 0 failed" ;;
  *) echo "forge: unknown" >&2; exit 1 ;;
esac
`;

const SECURITY = 'SECURITY REVIEW';
const GAS = 'GAS REVIEW';
const COVERAGE = 'TEST REVIEW';

export const solidityVestingReviewEs: SurveySession = {
  name: 'solidity vesting review es',
  about: 'A review with three subagents, one of whose alarms is false; nothing is repaired.',
  kind: 'review',
  language: 'es',
  ecosystem: 'solidity',
  files: {
    [VESTING]: `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

contract Vesting is UUPSUpgradeable, OwnableUpgradeable {
    struct Grant { uint256 total; uint256 released; uint256 start; uint256 duration; bool revoked; }

    IERC20 public token;
    mapping(address => Grant) public grants;

    function createGrant(address to, uint256 amount, uint256 duration) external onlyOwner {
        token.transferFrom(msg.sender, address(this), amount);
        grants[to] = Grant(amount, 0, block.timestamp, duration, false);
    }

    function claim() external {
        Grant storage g = grants[msg.sender];
        uint256 due = vested(g) - g.released;
        g.released += due;
        token.transfer(msg.sender, due);
    }

    function revoke(address who) external onlyOwner {
        Grant storage g = grants[who];
        g.revoked = true;
        token.transfer(owner(), g.total - g.released);
    }

    function vested(Grant storage g) internal view returns (uint256) {
        if (block.timestamp >= g.start + g.duration) return g.total;
        return g.total * (block.timestamp - g.start) / g.duration;
    }
}
`,
    [TESTS]: `contract VestingTest is Test {
    function setUp() public { deal(address(token), address(vesting), 1_000_000e18); }
    // 17 tests, one grant each
}
`,
    [LAYOUT]: '# Storage\n\nProxy UUPS en mainnet desde agosto. Slot 0: token. Slot 1: grants.\n',
    'foundry.toml': '[profile.default]\nsrc = "contracts"\n',
  },
  programs: { forge: FORGE },
  prompts: [
    'revisa contracts/Vesting.sol antes de que se lo mandemos a los auditores. usa subagentes (seguridad, gas, tests) y despues contrasta tú lo que digan, la ultima vez me colaron dos falsos positivos. sin tocar codigo',
    'vale. el de revoke lo arregla Marta, no lo toques. lo de tokens con comisión da igual: solo usaremos nuestro token, que quede escrito en el informe y ya. Y una norma para todas las revisiones: lo grave siempre con prueba de concepto en test/, si no, no es grave. Déjame la PoC en el repo',
  ],
  script: (dir) => {
    const { run, fail, read, write, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('Lanzo los tres subagentes.'),
          delegate('Revisión de seguridad', `${SECURITY}: look for loss of funds in ${VESTING}. Read only.`),
          delegate('Revisión de gas', `${GAS}: where does ${VESTING} waste gas? Read only.`),
          delegate('Revisión de tests', `${COVERAGE}: what do the tests of ${VESTING} not see? Read only.`),
        ],
        [
          say('Ahora contrasto cada hallazgo con el código y con una prueba.'),
          read(VESTING),
          read(LAYOUT),
          run(
            'forge test --match-test reenter',
            'Probar la reentrada en claim',
            'test_reenterClaimGetsNothing',
          ),
        ],
        [
          fail(
            'forge test --match-contract Poc',
            'Prueba de concepto de revoke',
            'ERC20InsufficientBalance(0x5615, 0, 400)',
          ),
        ],
        [
          say(`# Revisión de \`Vesting.sol\`

## 1. Grave: \`revoke\` deja el contrato sin fondos
\`revoke()\` envía al owner \`total - released\`, pero **no** recorta el grant: \`vested()\` ignora \`revoked\`, así que el beneficiario revocado sigue devengando y puede hacer \`claim()\`. Cobra con el dinero de los demás, y el último beneficiario se queda sin poder cobrar. Confirmado: con tres grants y un revoke, el último recibe \`ERC20InsufficientBalance\` (quedan 0, se le deben 400).

Arreglo propuesto: fijar \`total = vested(g)\` al revocar y devolver solo la diferencia.

## 2. Medio: tokens con comisión
\`createGrant\` apunta \`amount\` sin mirar cuánto llegó realmente; con un token con comisión por transferencia el contrato debe más de lo que tiene.

## 3. Tests
Las 17 pruebas hacen \`deal\` de un millón de tokens al contrato y crean un solo grant: por eso la insolvencia no se ve nunca. Ramas cubiertas: 61 %.

## Descartado
- **Reentrada en \`claim()\`** (lo daba por crítico el subagente de seguridad): falso positivo. \`released\` se actualiza antes del \`transfer\`; una prueba con un token que reentra no obtiene nada.
- **Empaquetar el struct** (subagente de gas, unos 26 000 gas por grant): no se puede. El contrato ya está detrás de un proxy UUPS en mainnet y cambiar los tipos de \`Grant\` corrompería los grants existentes.

No he modificado nada. ¿Quieres que arregle el primero?`),
        ],
        [
          write(
            POC,
            `contract PocRevoke is Test {
    /// Three grants, one revoked: the revoked one still claims, the last one cannot.
    function test_lastBeneficiaryCannotClaim() public {
        vesting.createGrant(ana, 400, 100);
        vesting.createGrant(bea, 400, 100);
        vesting.createGrant(carla, 400, 100);
        vesting.revoke(ana);
        vm.warp(block.timestamp + 100);
        vm.prank(ana); vesting.claim();
        vm.prank(bea); vesting.claim();
        vm.prank(carla); vesting.claim();
    }
}
`,
          ),
          write(
            'docs/revision-vesting.md',
            '# Revisión de Vesting.sol\n\n1. Grave: revoke (PoC en test/VestingRevoke.t.sol). Responsable: Marta.\n2. Aceptado: tokens con comisión; el contrato solo se usa con el token propio.\n',
          ),
        ],
        [fail('forge test --match-contract Poc', 'La PoC debe fallar', 'test_lastBeneficiaryCannotClaim')],
        [
          run(
            'git add -A && git commit -qm "test(vesting): proof that revoke leaves the contract insolvent" && git log --oneline -1',
            'Commit',
            'test(vesting)',
          ),
        ],
        [
          say(
            `La PoC está en \`${POC}\` y falla a propósito; quedará verde cuando Marta arregle \`revoke\`. Mientras tanto el CI saldrá rojo en esa suite. El riesgo aceptado de los tokens con comisión está en \`docs/revision-vesting.md\`. El contrato sigue igual.`,
          ),
        ],
      ],
      subagents: {
        [SECURITY]: [
          [
            read(VESTING),
            run('grep -n "transfer" contracts/Vesting.sol', 'External calls', 'token.transfer'),
          ],
          [
            say(`Findings:
1. CRITICAL: claim() makes an external call and is not nonReentrant; a token with hooks can drain the contract.
2. HIGH: revoke() pays out total - released but vested() never looks at g.revoked, so a revoked beneficiary keeps vesting and claims other people's tokens.
3. MEDIUM: createGrant trusts amount; fee-on-transfer tokens leave a shortfall.`),
          ],
        ],
        [GAS]: [
          [read(VESTING), run('forge test --gas-report', 'Gas per function', 'createGrant | 118204')],
          [
            say(
              'createGrant costs 118,204 gas, most of it five fresh slots. Packing Grant into uint128/uint64 fields saves three slots, about 26,000 gas per grant. claim and revoke have nothing worth changing.',
            ),
          ],
        ],
        [COVERAGE]: [
          [read(TESTS), read('foundry.toml'), run('forge coverage', 'Coverage', '61.1% branches')],
          [run('forge test', 'Existing suite', '17 passed')],
          [
            say(
              'Every test funds the contract with deal(1,000,000 tokens) and uses a single grant, so the suite can never observe that the contract owes more than it holds. Branch coverage is 61.1 %; revoke after a partial claim is not tested at all.',
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
        says: [
          'revoke',
          /vested/,
          /revoked|revocado/,
          /fondos|insuficient|InsufficientBalance|de los demás|other people's/,
        ],
        files: [VESTING],
        prompt: 1,
      },
      {
        type: ['discovery', 'decision', 'gotcha'],
        says: [/reentrada/, /falso positivo|se actualiza antes/],
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: ['UUPS', /struct|Grant/, /corromper|no se puede|mainnet/],
      },
      { type: ['preference', 'decision'], says: [/grave/, /prueba de concepto/, 'test/'] },
      { type: ['decision', 'preference'], says: [/comisión/, /nuestro token|token propio/] },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: ['deal', /un solo grant|single grant/] },
      { type: ['decision', 'preference', 'discovery', 'change'], says: ['Marta', /revoke/] },
      { type: ['change', 'gotcha', 'discovery', 'decision'], says: [/PoC/, /CI|a propósito/] },
      { type: ['discovery', 'gotcha'], says: [/comisión|fee-on-transfer/, 'createGrant'] },
      { type: ['discovery', 'decision'], says: [/total = vested/, /diferencia|revocar/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['Vesting.sol', 'subagentes'],
        learned: [/revoke/],
        filesRead: [VESTING],
      },
      {
        prompt: 2,
        completed: [/PoC|VestingRevoke/],
        nextSteps: [/Marta|verde/],
        filesModified: [POC],
      },
    ],
    noise: ['Lanzo los tres', '¿Quieres que arregle', 'gas: 214771', /^Findings:/m],
    untrue: [
      /can drain the contract/,
      /(drain|vaciar)[^.]{0,60}(confirmad|confirmed)/,
      /he (arreglado|corregido)[^.]{0,20}revoke/,
      /revoke\(?\)? (quedó|está) (arreglad|corregid)/,
    ],
    followUps: [
      {
        asks: 'una empleada despedida sigue pudiendo retirar tokens después de que le cancelamos el plan, ¿es conocido?',
        says: ['revoke'],
      },
      {
        asks: 'quiero ahorrar gas cambiando los uint256 del registro por tipos más pequeños, ¿algún problema?',
        says: ['UUPS'],
      },
      {
        asks: 'he encontrado una vulnerabilidad seria en Staking.sol, ¿cómo la reporto aquí?',
        says: [/prueba de concepto/],
      },
      {
        asks: '¿hay que poner nonReentrant al cobro? Un linter lo marca como crítico',
        says: [/falso positivo|se actualiza antes/],
      },
    ],
    unrelated: [
      'sube la versión de node del workflow de despliegue del frontend',
      '¿qué RPC usamos en la testnet?',
      'traduce los mensajes de error de la dapp al portugués',
    ],
  },
};
