import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SERVICE = 'src/Pedidos/PedidoService.php';
const CALC = 'src/Pedidos/CalculadoraTotales.php';
const TRAIT = 'src/Pedidos/CalculaTotales.php';
const REPORT = 'src/Informes/InformeMensual.php';
const GOLDEN = 'tests/Golden/SageExportTest.php';
const CONTROLLER = 'src/Http/PedidoController.php';

const TOTALS = `        $base = 0;
        $iva = 0;
        foreach ($pedido->lineas() as $linea) {
            $importe = $linea->precio() * $linea->cantidad();
            if ($pedido->cliente()->esMayorista() && $linea->cantidad() >= 12) {
                $importe = (int) round($importe * 0.92);
            }
            $base += $importe;
            $iva += (int) round($importe * $linea->tipoIva() / 100);
        }
        $portes = $base >= 6000 ? 0 : 495;
        $total = $base + $iva + $portes;
`;

export const phpOrderTotals: SurveySession = {
  name: 'php-order-totals',
  about: 'The totals of an order move out of a service; the rounding bites, and the person wants no traits.',
  kind: 'refactoring',
  language: 'es',
  ecosystem: 'php',
  files: {
    'composer.json': `{
  "name": "tienda/pedidos",
  "require": { "php": "^8.2" },
  "require-dev": { "phpunit/phpunit": "^10.5", "phpstan/phpstan": "^1.11" },
  "autoload": { "psr-4": { "Tienda\\\\": "src/" } },
  "scripts": { "test": "phpunit", "stan": "phpstan analyse -l 7 src" }
}
`,
    [SERVICE]: `<?php

declare(strict_types=1);

namespace Tienda\\Pedidos;

final class PedidoService
{
    public function __construct(
        private PedidoRepository $pedidos,
        private Almacen $almacen,
        private Correo $correo,
    ) {
    }

    public function confirmar(int $id): Recibo
    {
        $pedido = $this->pedidos->porId($id);
        foreach ($pedido->lineas() as $linea) {
            $this->almacen->reservar($linea->sku(), $linea->cantidad());
        }

${TOTALS}
        $pedido->confirmar($total);
        $this->pedidos->guardar($pedido);
        $this->correo->confirmacion($pedido);

        return new Recibo($base, $iva, $portes, $total);
    }

    public function presupuesto(Pedido $pedido): Recibo
    {
${TOTALS}
        return new Recibo($base, $iva, $portes, $total);
    }
}
`,
    'src/Pedidos/Pedido.php': `<?php

declare(strict_types=1);

namespace Tienda\\Pedidos;

use Doctrine\\ORM\\Mapping as ORM;

#[ORM\\Entity]
class Pedido
{
    /** Líneas con la tarifa vigente: Linea::precio() lee la tarifa de hoy, no la del día del pedido. */
    #[ORM\\OneToMany(targetEntity: Linea::class, mappedBy: 'pedido')]
    private iterable $lineas;

    /** Céntimos; congelado al confirmar. */
    #[ORM\\Column]
    private ?int $total = null;
}
`,
    [CONTROLLER]: `<?php

declare(strict_types=1);

namespace Tienda\\Http;

final class PedidoController
{
    public function total(float $importe): string
    {
        return number_format($importe, 2, ',', '.');
    }
}
`,
    [REPORT]: `<?php

declare(strict_types=1);

namespace Tienda\\Informes;

final class InformeMensual
{
    /** Copia de PedidoService::confirmar, ver AUD-7 */
    public function totalPedido(Pedido $pedido): int
    {
        $total = 0;
        foreach ($pedido->lineas() as $linea) {
            $total += (int) round($linea->precio() * $linea->cantidad() * (1 + $linea->tipoIva() / 100));
        }

        return $total;
    }
}
`,
    [GOLDEN]: `<?php

declare(strict_types=1);

namespace Tienda\\Tests\\Golden;

final class SageExportTest extends \\PHPUnit\\Framework\\TestCase
{
    /** @dataProvider facturasReales */
    public function testElTotalCoincideConSage(string $factura, int $esperado): void
    {
        self::assertSame($esperado, Facturas::cargar($factura)->total());
    }
}
`,
  },
  programs: {
    composer: `#!/bin/sh
calc=src/Pedidos/CalculadoraTotales.php
case "$*" in
  *stan*)
    echo 'Note: Using configuration file phpstan.neon.'
    if [ -f $calc ] && ! grep -q 'list<Linea>' $calc; then
      echo ' ------ -------------------------------------------------------------------'
      echo '  Line   src/Pedidos/CalculadoraTotales.php'
      echo ' ------ -------------------------------------------------------------------'
      echo '  15     Parameter $lineas has no value type specified in iterable type array.'
      echo ' [ERROR] Found 1 error'
      exit 1
    fi
    echo ' [OK] No errors' ;;
  *test*)
    echo 'PHPUnit 10.5.20 by Sebastian Bergmann and contributors.'
    echo
    if grep -rqs 'ivaPorTipo' src/Pedidos; then
      echo '..................F.....                                          24 / 24 (100%)'
      echo
      echo 'There was 1 failure:'
      echo
      echo '1) SageExportTest::testElTotalCoincideConSage with data set "F-2291"'
      echo 'Failed asserting that 18348 is identical to 18347.'
      echo
      echo 'FAILURES!'
      echo 'Tests: 24, Assertions: 61, Failures: 1.'
      exit 1
    fi
    echo '........................                                          24 / 24 (100%)'
    echo 'OK (24 tests, 61 assertions)' ;;
  *) echo 'Composer version 2.7.6' ;;
esac
`,
  },
  prompts: [
    'PED-318: en PedidoService el cálculo de totales está duplicado (confirmar y presupuesto), sácalo a un sitio común sin cambiar comportamiento. Ojo que los importes van siempre en céntimos, int, nada de floats en el dominio. InformeMensual ni tocarlo hasta que cierre la auditoría (finales de marzo), aunque veas que también está copiado',
    'no, así no: traits no usamos, los quitamos todos el año pasado porque no había quien los testeara. Una clase final inyectada por constructor. y los métodos del dominio en castellano, como el resto',
    'perfecto. commitea, un commit por ticket con el número delante y en castellano. sin push, lo subo yo',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    const twice = (name: string) =>
      `python3 - <<'PY'
import re
p = '${SERVICE}'
s = open(p).read()
a = s.index('        $base = 0;')
e = '$total = $base + $iva + $portes;\\n'
b = s.index(e) + len(e)
block = s[a:b]
assert s.count(block) == 2
s = s.replace(block, '        $recibo = ${name};\\n')
s = s.replace('$pedido->confirmar($total);', '$pedido->confirmar($recibo->total());')
s = s.replace('return new Recibo($base, $iva, $portes, $total);', 'return $recibo;')
open(p, 'w').write(s)
print('2 bloques sustituidos')
PY`;
    return {
      main: [
        [
          say('Voy a leer el servicio y ver quién más calcula totales.'),
          read(SERVICE),
          run("grep -rn 'round(' src | cut -c1-110", 'Dónde se redondea', 'InformeMensual'),
        ],
        [
          say('Antes de tocar nada, la línea base.'),
          run('composer test', 'Tests antes del cambio', 'OK (24 tests'),
          read(GOLDEN),
        ],
        [
          say(
            'Los dos bloques son idénticos carácter a carácter. Lo extraigo a un trait `CalculaTotales` y, de paso, agrupo el IVA por tipo impositivo, que queda más limpio.',
          ),
          write(
            TRAIT,
            `<?php

declare(strict_types=1);

namespace Tienda\\Pedidos;

trait CalculaTotales
{
    private function computeTotals(Pedido $pedido): Recibo
    {
        $base = 0;
        $ivaPorTipo = [];
        foreach ($pedido->lineas() as $linea) {
            $importe = $linea->precio() * $linea->cantidad();
            if ($pedido->cliente()->esMayorista() && $linea->cantidad() >= 12) {
                $importe = (int) round($importe * 0.92);
            }
            $base += $importe;
            $ivaPorTipo[$linea->tipoIva()] = ($ivaPorTipo[$linea->tipoIva()] ?? 0) + $importe;
        }
        $iva = 0;
        foreach ($ivaPorTipo as $tipo => $importe) {
            $iva += (int) round($importe * $tipo / 100);
        }
        $portes = $base >= 6000 ? 0 : 495;

        return new Recibo($base, $iva, $portes, $base + $iva + $portes);
    }
}
`,
          ),
        ],
        [run(twice('$this->computeTotals($pedido)'), 'Usar el trait en los dos métodos', '2 bloques')],
        [
          edit(
            SERVICE,
            'final class PedidoService\n{\n',
            'final class PedidoService\n{\n    use CalculaTotales;\n\n',
          ),
        ],
        [
          fail(
            'composer test',
            'Tests tras la extracción',
            'Failed asserting that 18348 is identical to 18347',
          ),
        ],
        [
          say(
            'Un céntimo de diferencia en la F-2291. Es por lo de agrupar: Sage redondea el IVA línea a línea, y al redondear una sola vez por tipo impositivo el total ya no cuadra con la exportación. Así que el redondeo por línea no es un descuido, hay que conservarlo. Deshago la agrupación.',
          ),
          edit(
            TRAIT,
            `            $ivaPorTipo[$linea->tipoIva()] = ($ivaPorTipo[$linea->tipoIva()] ?? 0) + $importe;
        }
        $iva = 0;
        foreach ($ivaPorTipo as $tipo => $importe) {
            $iva += (int) round($importe * $tipo / 100);
        }
`,
            `            $iva += (int) round($importe * $linea->tipoIva() / 100);
        }
`,
          ),
        ],
        [
          edit(TRAIT, '        $ivaPorTipo = [];\n', '        $iva = 0;\n'),
          run('composer test 2>&1 | tail -1', 'Tests otra vez', 'OK (24 tests'),
        ],
        [
          say(`¡Listo! 🎉 He extraído el cálculo al trait \`CalculaTotales\` y los dos métodos lo usan. 24 tests en verde.

Dos cosas que he visto por el camino:

- Los portes gratis a partir de 60 € se miran sobre la base **sin IVA** y ya con el descuento de mayorista aplicado; lo he dejado igual.
- \`InformeMensual\` calcula distinto: redondea precio con IVA incluido y no aplica ni el descuento de mayorista ni los portes, así que sus totales no coinciden con los de los recibos. No lo he tocado.

¿Quieres que añada también tests unitarios para el trait?`),
        ],
        [
          say('Entendido, lo cambio por una clase inyectada.'),
          read('src/Pedidos/Pedido.php'),
          read(CONTROLLER),
          run(
            `rm ${TRAIT} && git checkout -q -- ${SERVICE} && git status --short`,
            'Quitar el trait y volver al original',
          ),
          write(
            CALC,
            `<?php

declare(strict_types=1);

namespace Tienda\\Pedidos;

final class CalculadoraTotales
{
    private const PORTES_GRATIS_DESDE = 6000;
    private const PORTES = 495;
    private const DESCUENTO_MAYORISTA = 0.92;
    private const CANTIDAD_MAYORISTA = 12;

    /** El IVA se redondea línea a línea: es lo que hace Sage (ver SageExportTest, F-2291). */
    public function calcular(array $lineas, bool $mayorista): Recibo
    {
        $base = 0;
        $iva = 0;
        foreach ($lineas as $linea) {
            $importe = $linea->precio() * $linea->cantidad();
            if ($mayorista && $linea->cantidad() >= self::CANTIDAD_MAYORISTA) {
                $importe = (int) round($importe * self::DESCUENTO_MAYORISTA);
            }
            $base += $importe;
            $iva += (int) round($importe * $linea->tipoIva() / 100);
        }
        $portes = $base >= self::PORTES_GRATIS_DESDE ? 0 : self::PORTES;

        return new Recibo($base, $iva, $portes, $base + $iva + $portes);
    }
}
`,
          ),
        ],
        [
          run(
            twice('$this->totales->calcular($pedido->lineas(), $pedido->cliente()->esMayorista())'),
            'Usar la calculadora',
            '2 bloques',
          ),
        ],
        [read(SERVICE)],
        [
          edit(
            SERVICE,
            '        private Correo $correo,\n',
            '        private Correo $correo,\n        private CalculadoraTotales $totales,\n',
          ),
          run('composer test 2>&1 | tail -1', 'Tests', 'OK (24 tests'),
          fail('composer stan', 'Análisis estático', 'no value type specified'),
        ],
        [
          edit(
            CALC,
            '    /** El IVA se redondea línea a línea: es lo que hace Sage (ver SageExportTest, F-2291). */\n',
            `    /**
     * El IVA se redondea línea a línea: es lo que hace Sage (ver SageExportTest, F-2291).
     *
     * @param list<Linea> $lineas
     */
`,
          ),
          run('composer stan', 'Análisis estático', '[OK] No errors'),
        ],
        [
          say(`Cambiado. \`CalculadoraTotales\` es una clase final que entra por el constructor de \`PedidoService\`, y recibe las líneas y si el cliente es mayorista en vez del \`Pedido\` entero: así se puede probar sin montar un pedido con repositorio.

He descartado mover el cálculo a \`Pedido::total()\` porque Doctrine hidrata los pedidos antiguos con la tarifa de hoy y su total, congelado al confirmar, se recalcularía al leerlos.

Pendiente: \`PedidoController::total()\` recibe un \`float\` y le llegan céntimos, o sea que en pantalla el importe sale multiplicado por cien en la vista de borrador; es un fallo anterior y queda fuera de este ticket.

Avísame si quieres que lo mire.`),
        ],
        [
          run(
            "git add -A && git commit -q -m 'PED-318 Extraer el cálculo de totales a CalculadoraTotales' && git log --oneline -1",
            'Commit',
            'PED-318',
          ),
        ],
        [say('Hecho, un solo commit y sin push. ¡Buen trabajo en equipo!')],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'preference', says: [/céntimos/, /floats?/], prompt: 1 },
      { type: ['preference', 'decision'], says: ['InformeMensual', /auditoría/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works'],
        says: ['Sage', /línea a línea|por línea/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/traits/, /testear|inyectad/], prompt: 2 },
      { type: ['decision', 'gotcha', 'discovery'], says: [/Pedido::total/, /Doctrine|tarifa/], prompt: 2 },
      { type: 'preference', says: [/commit/, /ticket/, /número delante/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/portes/, /sin IVA/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: ['InformeMensual', /mayorista|no coinciden/],
        prompt: 1,
      },
      { type: ['gotcha', 'discovery'], says: ['PedidoController', /float|cien/], prompt: 2 },
      {
        type: ['refactor', 'change', 'feature', 'decision'],
        says: ['CalculadoraTotales', /constructor|totales/],
        files: [CALC],
      },
      { type: 'preference', says: [/métodos/, /castellano/], prompt: 2 },
      { type: 'preference', says: [/sin push/, /lo subo yo/], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, request: [/totales/], learned: [/Sage|redonde/] },
      { prompt: 2, request: [/traits/], completed: ['CalculadoraTotales'], filesModified: [SERVICE, CALC] },
      { prompt: 3, optional: true, request: [/commit/] },
    ],
    noise: [
      'Voy a leer el servicio',
      'Antes de tocar nada, la línea base',
      '¡Listo!',
      '¿Quieres que añada también tests',
      'Avísame si quieres',
      'Buen trabajo en equipo',
      'que queda más limpio',
      '2 bloques sustituidos',
    ],
    untrue: [/IVA (se )?(agrupa|redondea)\w* (una sola vez )?por tipo/, /(he|ha) (subido|hecho push)/],
    followUps: [
      {
        asks: '¿por qué no simplificamos el IVA y lo calculamos una vez al final sobre el total del pedido?',
        says: ['Sage'],
      },
      {
        asks: 'quiero compartir lógica entre dos servicios de pedidos, ¿me vale un trait?',
        says: [/traits/],
      },
      {
        asks: 'voy a unificar también la copia que hay en el informe del mes, ¿algún problema?',
        says: [/auditoría/],
      },
      { asks: 'añade un campo de recargo al recibo, ¿de qué tipo de dato lo pongo?', says: [/céntimos/] },
      {
        asks: '¿no sería más natural que la entidad supiera su propio importe, un Pedido::total()?',
        says: [/Doctrine|tarifa/],
      },
      { asks: 'prepárame el mensaje de git para PED-402', says: [/ticket/, /número delante|castellano/] },
    ],
    unrelated: [
      'el correo de confirmación llega sin el logo, mira la plantilla',
      'sube PHP a 8.3 en el Dockerfile y en la CI',
      'añade paginación al listado de clientes',
    ],
  },
};
