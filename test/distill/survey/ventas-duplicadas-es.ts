import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const LOAD = 'etl/cargar.py';
const DAILY = 'run_diario.sh';
const DAY = 'datos/2026-03-04.csv';

const count = `python3 -c "import sqlite3; print('filas', *sqlite3.connect('almacen.db').execute('select count(*), count(distinct ticket) from ventas').fetchone())"`;

export const ventasDuplicadas: SurveySession = {
  name: 'ventas duplicadas',
  about: 'Ingresos duplicados: la unión es inocente, la carga falla a medias y una tubería esconde el error.',
  kind: 'bug hunt',
  language: 'es',
  ecosystem: 'data',
  files: {
    [LOAD]: `import csv
import pathlib
import sqlite3
import sys


def cargar(ruta, base="almacen.db"):
    con = sqlite3.connect(base)
    con.execute("CREATE TABLE IF NOT EXISTS ventas (fecha TEXT, tienda INTEGER, ticket TEXT, importe REAL)")
    fecha = pathlib.Path(ruta).stem
    with open(ruta, newline="") as f:
        for n, fila in enumerate(csv.DictReader(f, delimiter=";"), 1):
            con.execute(
                "INSERT INTO ventas VALUES (?, ?, ?, ?)",
                (fecha, fila["tienda"], fila["ticket"], float(fila["importe"])),
            )
            if n % 2 == 0:
                con.commit()
    con.commit()
    print("carga terminada")


if __name__ == "__main__":
    cargar(sys.argv[1])
`,
    [DAILY]: `#!/bin/bash
# 05:00 y, si falta la marca, otra vez a las 06:00.
python3 etl/cargar.py "$1" 2>>errores.log | tee -a carga.log
grep -q "carga terminada" carga.log && touch marca.ok
exit 0
`,
    [DAY]:
      'tienda;ticket;importe\n12;A100;20.00\n12;A101;35.50\n31;A100;12.00\n31;A102;8.25\n72;A103;1.234,50\n',
    'panel/ingresos.sql':
      'SELECT v.fecha, t.region, SUM(v.importe)\nFROM ventas v JOIN tiendas t ON t.id = v.tienda\nGROUP BY 1, 2;\n',
    'datos/tiendas.csv': 'id;region\n12;Centro\n31;Norte\n72;Canarias\n81;Ceuta\n',
    '.gitignore': '*.db\n*.log\nmarca.ok\n',
  },
  prompts: [
    'los ingresos de ayer (2026-03-04) salen casi al doble en el panel, mira por qué. yo creo que es el JOIN con tiendas. ojo: la tabla ventas_raw no se toca NUNCA, es la copia legal',
    'vale, arréglalo. pero la coma decimal no es solo Canarias, también Ceuta y Melilla, así que nada de mirar la región',
    'perfecto, borra los duplicados de ayer en producción',
    'espera, no, no borres nada. finanzas ya cerró el día 4, lo corrigen ellos con un asiento. déjalo como está',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Empiezo por el JOIN, que es tu sospecha.'),
          read('panel/ingresos.sql'),
          run('cut -d";" -f1 datos/tiendas.csv | sort | uniq -d | wc -l', 'Ids de tienda repetidos', '0'),
        ],
        [
          say(
            'No hay ningún id repetido en tiendas, así que el JOIN no puede multiplicar filas. Toca mirar la carga.',
          ),
          read(LOAD),
          read(DAILY),
          run(`bash ${DAILY} ${DAY}; echo "salida: $?"`, 'Repetir la carga de ayer', 'salida: 0'),
        ],
        [
          run(count, 'Contar filas', 'filas 4 3'),
          run('tail -1 errores.log', 'Ver los errores', 'could not convert string to float'),
        ],
        [run(`bash ${DAILY} ${DAY}; ${count}`, 'El reintento de las seis', 'filas 8 3')],
        [
          say(`No es el JOIN: en \`tiendas\` no hay ids repetidos. Lo que pasa es una cadena de tres fallos.

La fila 5 del fichero trae \`1.234,50\` y \`float()\` revienta. Para entonces \`etl/cargar.py\` ya ha confirmado las filas anteriores, porque hace commit cada pocas filas. Y \`run_diario.sh\` pasa la salida por \`tee\` sin pipefail y acaba con \`exit 0\`, de modo que el planificador nunca ve el error; como falta la marca, a las 06:00 lanza la carga otra vez y se insertan las mismas filas por segunda vez. Lo he reproducido: 4 filas tras la primera carga, 8 tras el reintento.

El importe con coma viene de la tienda 72, o sea que el formato es cosa de Canarias.

No he tocado nada todavía. ¿Lo arreglo?`),
        ],
        [
          say(
            'De acuerdo, entonces decido por el formato del número y no por la región. Sobre los duplicados: descarto INSERT OR IGNORE por ticket, porque el mismo número de ticket se repite entre tiendas (A100 está en la 12 y en la 31). Mejor borrar el día y volver a cargarlo en una sola transacción.',
          ),
          edit(
            LOAD,
            'def cargar(ruta',
            'def importe(texto):\n    """Acepta 1234.50 y 1.234,50."""\n    if "," in texto:\n        texto = texto.replace(".", "").replace(",", ".")\n    return float(texto)\n\n\ndef cargar(ruta',
          ),
          edit(LOAD, 'float(fila["importe"])', 'importe(fila["importe"])'),
          edit(LOAD, '            if n % 2 == 0:\n                con.commit()\n', ''),
          edit(
            LOAD,
            '    fecha = pathlib.Path(ruta).stem\n',
            '    fecha = pathlib.Path(ruta).stem\n    con.execute("DELETE FROM ventas WHERE fecha = ?", (fecha,))  # se puede repetir\n',
          ),
          edit(
            LOAD,
            '        for n, fila in enumerate(csv.DictReader(f, delimiter=";"), 1):\n',
            '        for fila in csv.DictReader(f, delimiter=";"):\n',
          ),
        ],
        [
          edit(DAILY, '# 05:00 y', 'set -euo pipefail\n# 05:00 y'),
          edit(DAILY, 'grep -q "carga terminada" carga.log && touch marca.ok\nexit 0\n', 'touch marca.ok\n'),
        ],
        [
          run(
            `rm -f almacen.db marca.ok && bash ${DAILY} ${DAY} && bash ${DAILY} ${DAY} && ${count}`,
            'Cargar dos veces',
            'filas 5 4',
          ),
        ],
        [
          run(
            'printf "tienda;ticket;importe\\n12;B1;10.00\\n12;B2;abc\\n" > datos/2026-03-05.csv',
            'Un fichero roto',
          ),
          fail(`bash ${DAILY} datos/2026-03-05.csv`, 'Ahora debe fallar a la vista'),
        ],
        [run(`rm datos/2026-03-05.csv; ${count}`, 'Nada a medias', 'filas 5 4')],
        [
          say(`Arreglado y comprobado: cargar dos veces el mismo día deja 5 filas, y un fichero roto no deja nada a medias y sale con error.

- \`importe()\` en \`etl/cargar.py\` acepta \`1.234,50\` además de \`1234.50\`; decide por la coma, no por la región.
- La carga de un día es una sola transacción que primero borra ese día, así que repetirla es inocuo.
- \`run_diario.sh\` lleva \`set -euo pipefail\` y ya no termina en \`exit 0\`.

Un límite: un importe como \`1.234\` sin decimales sigue siendo ambiguo y se lee como 1,234. Habría que pedirle a las tiendas que manden siempre dos decimales.`),
        ],
        [
          say('Antes de borrar, preparo la consulta y cuento cuántas filas afectaría.'),
          run(
            'echo "SELECT fecha, tienda, ticket, COUNT(*) FROM ventas GROUP BY 1,2,3 HAVING COUNT(*) > 1;"',
            'La consulta de control',
            'HAVING',
          ),
        ],
        [
          say(
            'La consulta de control está lista; todavía no he borrado nada. ¿Confirmas que ejecute el borrado en producción?',
          ),
        ],
        [
          say(
            'Entendido, no borro nada. Los duplicados del 4 de marzo se quedan en `ventas`, porque finanzas ya cerró ese día y lo corrige con un asiento. Ojo con una consecuencia: no hay que volver a lanzar la carga del 2026-03-04, porque la carga nueva borra el día entero y descuadraría el cierre.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/tee|pipefail/, /exit 0|planificador|error/, 'run_diario.sh'],
      },
      { type: ['bugfix', 'discovery', 'gotcha'], says: [/1\.234,50/, /float|importe/] },
      { type: ['bugfix', 'change', 'how-it-works', 'decision'], says: [/una sola transacción/, /borra/] },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/INSERT OR IGNORE/, /ticket/, /se repite|tiendas/],
      },
      { type: ['preference', 'gotcha'], says: [/ventas_raw/, /copia legal/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/finanzas/, /asiento/] },
      {
        type: ['gotcha', 'discovery', 'decision', 'preference'],
        says: [/2026-03-04/, /no hay que volver a lanzar|descuadrar/],
      },
      { type: ['preference', 'discovery', 'gotcha', 'decision'], says: [/Ceuta/, /Melilla/, /coma/] },
    ],
    niceToHave: [
      { type: ['discovery', 'bugfix'], says: [/JOIN/, /repetid/] },
      { type: ['gotcha', 'discovery'], says: [/ambiguo/, /dos decimales|1\.234/] },
      { type: ['discovery', 'bugfix', 'how-it-works'], says: [/06:00|seis/, /marca/] },
    ],
    summaries: [
      { prompt: 1, request: [/ingresos|doble/], learned: [/pipefail|tee|commit/], filesRead: [LOAD, DAILY] },
      {
        prompt: 2,
        request: [/coma decimal|arréglalo/],
        completed: [/transacción|pipefail|importe\(\)/],
        nextSteps: [/dos decimales/],
        filesModified: [LOAD, DAILY],
      },
      { prompt: 3, optional: true, request: [/duplicados/] },
      { prompt: 4, request: [/no borres|finanzas/], learned: [/no hay que volver a lanzar|finanzas/] },
    ],
    noise: ['Empiezo por el JOIN', '¿Lo arreglo?', '¿Confirmas que ejecute', 'Toca mirar la carga'],
    untrue: [
      /el formato es cosa de Canarias/,
      /solo (en )?Canarias[^.]*usa/,
      /(duplicados|filas)[^.]{0,30}(fueron borrad|han sido borrad|se borraron|eliminad[oa]s en producción)/,
      /la causa (es|era) el JOIN/,
    ],
    followUps: [
      {
        asks: 'voy a relanzar la carga del 4 de marzo para cuadrar el panel, ¿algún problema?',
        says: [/finanzas|cierre/, /borra|descuadr/],
      },
      { asks: '¿por qué no ponemos una clave única por número de ticket?', says: [/se repite/, /tiendas/] },
      {
        asks: 'el proceso nocturno falló en silencio en otro proyecto, aquí nos pasó algo parecido ¿qué era?',
        says: [/pipefail|tee/],
      },
      {
        asks: 'necesito corregir unas filas en ventas_raw, hazme el UPDATE',
        says: [/copia legal|no se toca/],
      },
      { asks: '¿qué sucursales mandan los números a la española?', says: [/Ceuta/, /Melilla/] },
    ],
    unrelated: [
      'añade al panel un gráfico de visitas a la web por hora',
      '¿qué diferencia hay entre una vista y una vista materializada en PostgreSQL?',
      'escribe la plantilla del correo de bienvenida para los becarios',
    ],
  },
};
