import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const DAG = `from airflow import DAG
from airflow.providers.common.sql.operators.sql import SQLExecuteQueryOperator
import pendulum

with DAG(
    "ventas_diarias",
    schedule="0 3 * * 1-5",
    start_date=pendulum.datetime(2025, 1, 1, tz="Europe/Madrid"),
    catchup=False,
    default_args={"retries": 2},
) as dag:
    SQLExecuteQueryOperator(
        task_id="cargar",
        conn_id="almacen",
        sql="sql/cargar.sql",
    )
`;

const SQL = `INSERT INTO ventas_dia (tienda, fecha, importe)
SELECT tienda, fecha, sum(importe)
FROM tickets
WHERE fecha >= '{{ data_interval_start | ds }}'
  AND fecha <= '{{ data_interval_end | ds }}'
GROUP BY tienda, fecha;
`;

const AIRFLOW = `#!/bin/sh
case "$*" in
  *"tasks states-for-dag-run"*) printf 'task   | state   | try_number\\ncargar | success | 1\\n' ;;
  *"dags list-runs"*) printf 'run_id                          | data_interval_start | data_interval_end\\nscheduled__2025-03-07T02:00:00Z | 2025-03-07 03:00    | 2025-03-10 03:00\\nscheduled__2025-03-06T02:00:00Z | 2025-03-06 03:00    | 2025-03-07 03:00\\n' ;;
  *"tasks render"*) if grep -q "fecha < " dags/sql/cargar.sql; then echo "WHERE fecha >= '2025-03-07' AND fecha < '2025-03-10'"; else echo "WHERE fecha >= '2025-03-07' AND fecha <= '2025-03-10'"; fi ;;
esac
`;

const PSQL = `#!/bin/sh
case "$*" in
  *"count"*"tickets"*) echo " duplicados en tickets: 0" ;;
  *"having"*) printf '   fecha    | filas por tienda\\n 2025-03-05 | 2\\n 2025-03-06 | 2\\n 2025-03-07 | 2\\n 2025-03-10 | 2\\n 2025-03-11 | 2\\n(5 rows)\\n' ;;
esac
`;

const PYTEST = `#!/bin/sh
if grep -q "fecha <= " dags/sql/cargar.sql; then
  echo "FAILED tests/test_ventas.py::test_frontera - assert 2 == 1"; exit 1
fi
echo "14 passed in 3.21s"
`;

export const airflowLunesDoblesEs: SurveySession = {
  name: 'airflow-lunes-dobles-es',
  about:
    'Sales are counted twice since a change of the load; retries are suspected first; the range of the repair shrinks.',
  kind: 'bug hunt',
  language: 'es',
  ecosystem: 'airflow',
  files: {
    'dags/ventas_diarias.py': DAG,
    'dags/sql/cargar.sql': SQL,
    'dags/sql/devoluciones.sql':
      "DELETE FROM devoluciones_dia WHERE fecha = '{{ ds }}';\nINSERT INTO devoluciones_dia SELECT * FROM devoluciones WHERE fecha = '{{ ds }}';\n",
    'tests/test_ventas.py': 'def test_carga_un_dia():\n    assert True\n',
    'docs/cambios.md':
      '2025-03-04 (Marta): se quita el DELETE previo a la carga, bloqueaba los informes.\n2025-02-10: el horario pasa de diario a 1-5.\n',
  },
  programs: { airflow: AIRFLOW, psql: PSQL, pytest: PYTEST },
  script(projectDir) {
    const { run, fail, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          say('Voy a mirar el DAG, la consulta y qué días salen repetidos.'),
          read('dags/ventas_diarias.py'),
          read('dags/sql/cargar.sql'),
          run(
            "psql almacen -c 'select fecha, count(*) from ventas_dia group by tienda, fecha having count(*) > 1'",
            'Días repetidos',
            '2025-03-10',
          ),
        ],
        [
          say(
            'Hay repetidos desde el 5 de marzo. El operador tiene retries=2, así que lo primero que sospecho es un reintento que inserta dos veces. Compruebo los intentos y si los tickets de origen ya vienen duplicados.',
          ),
          run(
            'airflow tasks states-for-dag-run ventas_diarias scheduled__2025-03-07T02:00:00Z',
            'Intentos',
            'try_number',
          ),
          run(
            "psql almacen -c 'select count(*) from tickets group by id'",
            'Duplicados en origen',
            'duplicados en tickets: 0',
          ),
          run('airflow dags list-runs -d ventas_diarias', 'Ejecuciones', 'data_interval_end'),
        ],
        [
          say(
            'Descartado: la tarea terminó al primer intento y el origen está limpio. Miro qué rango pide cada ejecución.',
          ),
          run(
            'airflow tasks render ventas_diarias cargar scheduled__2025-03-07T02:00:00Z',
            'SQL generado',
            "fecha <= '2025-03-10'",
          ),
          read('docs/cambios.md'),
        ],
        [
          say(
            'La causa: el rango está cerrado por los dos lados (`fecha <= data_interval_end`), y el data_interval_end de una ejecución es el data_interval_start de la siguiente. El día frontera se carga dos veces, siempre. Antes no se notaba porque había un DELETE previo; Marta lo quitó el 4 de marzo porque bloqueaba los informes.',
          ),
          read('tests/test_ventas.py'),
          edit(
            'tests/test_ventas.py',
            'def test_carga_un_dia',
            'def test_frontera():\n    assert filas("2025-03-10") == 1\n\n\ndef test_carga_un_dia',
          ),
          fail('pytest -q', 'Tests', 'test_frontera'),
        ],
        [
          edit(
            'dags/sql/cargar.sql',
            "  AND fecha <= '{{ data_interval_end | ds }}'",
            "  AND fecha < '{{ data_interval_end | ds }}'",
          ),
          edit(
            'dags/ventas_diarias.py',
            '    catchup=False,\n',
            '    catchup=False,\n    max_active_runs=1,\n',
          ),
          run('pytest -q', 'Tests', '14 passed'),
        ],
        [
          say(
            'Arreglado: el rango es ahora semiabierto (`fecha < data_interval_end`) y hay un test de la frontera; 14 tests pasan. También puse max_active_runs=1 para que dos ejecuciones no se pisen.\n\nPara reparar los datos propongo volver a cargar desde el 1 de enero con `airflow tasks clear`. Otra opción es volver a poner el DELETE.',
          ),
        ],
        [
          say('De acuerdo. Quito max_active_runs y preparo la reparación solo como SQL.'),
          edit('dags/ventas_diarias.py', '    max_active_runs=1,\n', ''),
          run('pytest -q', 'Tests', '14 passed'),
        ],
        [
          say(
            'max_active_runs ya no está. La reparación va del 5 al 11 de marzo: borrar una de las dos filas por tienda y fecha; son 5 fechas. No he ejecutado nada en producción, el SQL lo lanza Operaciones con ticket.\n\nUna corrección a lo que dije antes: el lunes no es especial. La ejecución del viernes cubre de viernes a lunes, pero el doble sale en cualquier frontera.',
          ),
        ],
        [
          say('A primera vista sí, porque es una copia. Lo compruebo.'),
          run('cat dags/sql/devoluciones.sql; ls dags', 'Consulta de devoluciones', "fecha = '{{ ds }}'"),
        ],
        [
          say(
            'No, me equivocaba: devoluciones no tiene el doble conteo, porque filtra por un solo día (`fecha = ds`) y conserva su DELETE. Tiene otro problema: con el horario 1-5 solo ve los ds de lunes a viernes, así que las devoluciones de sábado y domingo no se cargan nunca. No lo he tocado.',
          ),
        ],
        [
          edit(
            'docs/cambios.md',
            '2025-03-04 (Marta)',
            '2025-03-12: rango semiabierto en cargar.sql; el DELETE no vuelve.\n2025-03-04 (Marta)',
          ),
          run(
            'git commit -qam "fix(ventas): rango semiabierto" && git log --oneline | head -1',
            'Commit',
            'semiabierto',
          ),
        ],
        [say('Anotado en docs/cambios.md y hecho el commit. Falta que Operaciones ejecute la reparación.')],
      ],
    };
  },
  prompts: [
    'los lunes las ventas salen dobles en el panel, dirección está nerviosa. busca por qué. ojo: en prod nunca hagas airflow tasks clear ni backfill, eso lo hace Operaciones con ticket',
    'no, enero no: antes del 5 de marzo el DELETE tapaba el error, esos datos están bien. y el DELETE no vuelve, bloqueaba los informes 40 min. quita también max_active_runs, el DAG semanal lanza varias a propósito',
    'otra cosa, el DAG de devoluciones lo copiamos de este, tiene el mismo fallo?',
    'vale, apúntalo en docs/cambios.md y commit. gracias crack',
  ],
  expects: {
    essentials: [
      { type: ['discovery', 'gotcha'], says: [/devoluciones/, /sábado|domingo/], prompt: 3 },
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/data_interval_end/, /frontera|semiabierto|dos veces|cerrado/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works', 'decision'],
        says: [/DELETE/, /Marta|4 de marzo|no se notaba|tapaba/],
      },
      { type: ['decision', 'preference', 'gotcha'], says: [/DELETE/, /no vuelve|bloqueaba/] },
      {
        type: ['decision', 'preference', 'gotcha', 'change'],
        says: [/max_active_runs/, /semanal|a propósito|ya no está/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/tasks clear|backfill/, /Operaciones/],
        prompt: 1,
      },
      {
        type: ['decision', 'preference', 'discovery', 'change', 'gotcha'],
        says: [/5 (de|al 11 de) marzo/, /reparaci|enero|datos están bien/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/devoluciones/, /un solo día|no tiene el doble/],
      },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/primer intento|descartado|reintento/] },
      { type: ['discovery', 'gotcha', 'how-it-works', 'bugfix'], says: [/lunes/, /frontera|especial/] },
      { type: ['change', 'discovery', 'decision'], says: [/Operaciones/, /reparación|SQL/] },
      { type: ['bugfix', 'change'], says: [/cargar\.sql|test_frontera|14 tests/] },
      { type: ['change', 'decision'], says: [/cambios\.md/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/dobles/],
        learned: [/data_interval_end|DELETE/],
        filesModified: ['dags/sql/cargar.sql', 'tests/test_ventas.py'],
      },
      {
        prompt: 2,
        request: [/DELETE|max_active_runs/],
        completed: [/max_active_runs/],
        filesModified: ['dags/ventas_diarias.py'],
      },
      { prompt: 3, request: [/devoluciones/], learned: [/sábado|un solo día|devoluciones/] },
      { prompt: 4, request: [/cambios\.md/], nextSteps: [/Operaciones/], filesModified: ['docs/cambios.md'] },
    ],
    noise: ['gracias crack', 'Voy a mirar el DAG', 'De acuerdo. Quito', 'A primera vista sí'],
    untrue: [
      /sospecho es un reintento(?![\s\S]*(descartado|primer intento))/,

      /devoluciones (tiene|sufre) (el mismo fallo|el doble conteo)(?!\?)/,
      /devoluciones.{0,30} (corregido|arreglado)/,
      /causa.{0,20} (es|era|fue) (un|el) reintento/,
      /(puse|tiene|con|lleva) max_active_runs=1/,
      /volver a cargar desde el 1 de enero/,
      /(vuelve a haber|se ha vuelto a poner|se repuso) (un|el) DELETE/,
      /tickets de origen (ya )?(vienen|están) duplicados(?!\?|\.)/,
      /(reparación|datos).{0,20} (ejecutad|reparad)[ao]s? en producción/,
      /solo (ocurre|pasa|sale) (en|los) lunes/,
    ],
    followUps: [
      {
        asks: 'faltan devoluciones de los fines de semana en el informe, ¿se sabe algo?',
        says: [/devoluciones/, /sábado|domingo/],
      },
      {
        asks: '¿puedo relanzar en producción la carga de ventas_diarias de ayer con tasks clear?',
        says: [/Operaciones/],
      },
      {
        asks: 'las filas de ventas_dia no son idempotentes, ¿metemos un borrado antes del insert en cargar.sql?',
        says: [/DELETE/, /bloqueaba|no vuelve/],
      },
      {
        asks: '¿por qué cargar.sql usa menor estricto con data_interval_end?',
        says: [/frontera|semiabierto|dos veces/],
      },
      {
        asks: 'quiero limitar ventas_diarias a una ejecución a la vez, ¿algún problema?',
        says: [/max_active_runs|semanal/],
      },
      {
        asks: '¿los importes de febrero de ventas_dia son fiables o hay que rehacerlos?',
        says: [/5 (de|al 11 de) marzo|datos están bien|tapaba/],
      },
    ],
    unrelated: [
      'pon el logo nuevo en la plantilla del correo semanal',
      '¿qué versión de python usa la imagen de los workers?',
      'crea un DAG que descargue el tipo de cambio del BCE',
    ],
  },
};
