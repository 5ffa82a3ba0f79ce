import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CONF = 'ansible/roles/postgres/templates/postgresql.conf.j2';
const RUNBOOK = 'docs/runbooks/postgres.md';
const CAMBIOS = 'docs/cambios.md';
const INVENTARIO = 'ansible/inventory/produccion.yml';

/** What the stand-ins remember of the server is kept out of the work tree. */
const SSH = `#!/bin/sh
# Stands in for ssh: answers as db-pedidos-1 would.
case "$*" in
  *"df -h"*)
    echo "S.ficheros      Tamaño Usados  Disp Uso% Montado en"
    if [ -f .git/checkpoint ]; then echo "/dev/nvme1n1      500G   298G  202G  60% /var/lib/postgresql"
    else echo "/dev/nvme1n1      500G   485G   15G  97% /var/lib/postgresql"; fi ;;
  *"du -sh"*) printf '3,1G\\tlog\\n187G\\tpg_wal\\n294G\\tbase\\n' ;;
  *"pg_repack --version"*) echo "pg_repack 1.5.0" ;;
  *pg_repack*)
    [ -f .git/extension ] || { echo "ERROR: pg_repack failed with error: program 'pg_repack 1.5.0' does not match database library 'pg_repack 1.4.8'" >&2; exit 1; }
    echo 'INFO: repacking table "public.eventos"'
    for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "LOG: copiadas $n de 148 millones de filas"; sleep 1; done ;;
  *) echo "ssh: orden desconocida" >&2; exit 255 ;;
esac
`;

const PSQL = `#!/bin/sh
# Stands in for psql.
case "$*" in
  *pg_stat_archiver*) echo "archived_count=48213 failed_count=0 last_failed_time=" ;;
  *pg_drop_replication_slot*) touch .git/slot; echo "pg_drop_replication_slot" ;;
  *CHECKPOINT*) [ -f .git/slot ] && touch .git/checkpoint; echo "CHECKPOINT" ;;
  *pg_replication_slots*)
    [ -f .git/slot ] || echo "replica_informes | active=f | retenido=187 GB"
    echo "informes_02      | active=t | retenido=64 MB" ;;
  *wal_por_hora*) printf '03:00 | 9,2 GB\\n04:00 | 8,7 GB\\n12:00 | 0,4 GB\\n' ;;
  *pg_reload_conf*) echo "t" ;;
  *pgstattuple*) echo "tabla=61 GB muertas=25 GB (41 %)" ;;
  *"CREATE EXTENSION pg_repack"*) touch .git/extension; echo "CREATE EXTENSION" ;;
  *) echo "ERROR: syntax error" >&2; exit 1 ;;
esac
`;

const ANSIBLE = `#!/bin/sh
# Stands in for ansible-playbook.
echo "TASK [postgres : postgresql.conf] changed: [db-pedidos-1]"
echo "db-pedidos-1 : ok=7 changed=1 failed=0"
`;

export const discoPostgresEs: SurveySession = {
  name: 'disco postgres es',
  about:
    'El disco de la base de pedidos se llena por un slot de replicación huérfano; la terminal muere mientras se compacta una tabla.',
  kind: 'operations',
  language: 'es',
  ecosystem: 'postgres',
  files: {
    [CONF]: `# Gestionado por Ansible
listen_addresses = '*'
max_connections = 300
wal_level = replica
max_wal_senders = 8
max_replication_slots = 8
archive_mode = on
archive_command = 'pgbackrest --stanza=pedidos archive-push %p'
`,
    [INVENTARIO]: `postgres:
  hosts:
    db-pedidos-1: { rol: primario }
    informes-02: { rol: replica, slot: informes_02 }
`,
    [RUNBOOK]: `# Postgres de pedidos

- Primario: db-pedidos-1, datos en /var/lib/postgresql (500 GB).
- La copia (pgbackrest) empieza a las 23:00.
- Los logs del servidor rotan a diario, sin comprimir.
- La configuración se cambia en Ansible; el rol recarga, nunca reinicia.
`,
    [CAMBIOS]: `# Cambios

- 3 de junio: informes-02 en marcha, sustituye a informes-01.
- 3 de junio: informes-01 apagada y borrada del inventario.
- 20 de mayo: pg_repack 1.5.0 en los servidores.
`,
  },
  programs: { ssh: SSH, psql: PSQL, 'ansible-playbook': ANSIBLE },
  prompts: [
    'alerta: db-pedidos-1 al 97% de disco y subiendo. mira qué es y recupera espacio. ni se te ocurra borrar nada a mano en pg_wal, en marzo lo hicimos y hubo que restaurar la base entera. tampoco nada pesado después de las 23:00 que entra el backup. la tabla eventos está hinchadísima también, compáctala si puedes pero sin parar la tienda',
  ],
  how: { cut: 'killed', when: 'repack.log' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Voy a ver primero cómo está el disco.'),
          run('ssh db-pedidos-1 df -h /var/lib/postgresql', 'Uso del disco', '97%'),
          read(RUNBOOK),
        ],
        [
          say(
            'Según el runbook los logs del servidor rotan sin comprimir, así que lo más probable es que el disco lo estén llenando los logs. Lo mido.',
          ),
          run(
            "ssh db-pedidos-1 'cd /var/lib/postgresql/16/main && du -sh log pg_wal base'",
            'Qué directorio ocupa qué',
            '187G',
          ),
        ],
        [
          say(
            'Los logs quedan descartados, son solo 3,1 GB. El problema está en pg_wal: 187 GB, cuando lo normal serían unos pocos. O falla el archivado o algo retiene el WAL.',
          ),
          run(
            'psql service=pedidos -Atc "SELECT * FROM pg_stat_archiver"',
            'Estado del archivado',
            'failed_count=0',
          ),
          run(
            'psql service=pedidos -Atc "SELECT slot_name, active, retenido FROM pg_replication_slots"',
            'Slots de replicación',
            'retenido=187 GB',
          ),
        ],
        [
          say(
            'El archivado está bien: failed_count es 0. Lo que retiene los 187 GB es el slot `replica_informes`, que está inactivo. Antes de tocarlo compruebo de quién es.',
          ),
          run(
            'grep -rn "replica_informes" ansible || echo "nadie lo usa"',
            'Quién usa el slot',
            'nadie lo usa',
          ),
          read(INVENTARIO),
          read(CAMBIOS),
        ],
        [
          say(
            'Causa clara: el slot `replica_informes` era de informes-01, que se apagó el 3 de junio sin borrar su slot. Desde entonces el primario guarda todo el WAL para una réplica que ya no existe. La réplica actual, informes-02, usa otro slot (`informes_02`) y no se ve afectada. Borro el slot huérfano, que es la vía segura: el propio Postgres libera el WAL y nadie toca pg_wal a mano.',
          ),
          run(
            `psql service=pedidos -c "SELECT pg_drop_replication_slot('replica_informes')"`,
            'Borrar el slot huérfano',
          ),
        ],
        [run('ssh db-pedidos-1 df -h /var/lib/postgresql', '¿Ha bajado?', '97%')],
        [
          say(
            'Sigue al 97 %. Ojo con esto: borrar el slot no libera nada por sí solo, el WAL viejo se elimina en el siguiente checkpoint. Lo fuerzo en lugar de esperar.',
          ),
          run('psql service=pedidos -c CHECKPOINT', 'Forzar un checkpoint', 'CHECKPOINT'),
        ],
        [run('ssh db-pedidos-1 df -h /var/lib/postgresql', 'Disco otra vez', '60%')],
        [
          say(
            'Del 97 % al 60 %, 202 GB libres. Para que un slot olvidado no vuelva a llenar el disco pongo un tope con max_slot_wal_keep_size; empiezo con 10GB.',
          ),
          read(CONF),
        ],
        [
          edit(
            CONF,
            'max_replication_slots = 8\n',
            'max_replication_slots = 8\nmax_slot_wal_keep_size = 10GB\n',
          ),
          run('psql service=pedidos -Atc "SELECT * FROM wal_por_hora"', 'WAL por hora', '9,2 GB'),
        ],
        [
          say(
            'Con 10 GB nos quedamos cortos: la carga nocturna genera unos 9 GB de WAL por hora entre las 3 y las 5, y si informes-02 se para dos horas perdería su slot y habría que reconstruirla. Lo subo a 40 GB: aguanta unas cuatro horas de carga nocturna y solo es el 8 % del disco.',
          ),
          edit(CONF, 'max_slot_wal_keep_size = 10GB', 'max_slot_wal_keep_size = 40GB'),
          run(
            'ansible-playbook -i ansible/inventory/produccion.yml ansible/site.yml --tags postgres_conf --limit db-pedidos-1',
            'Aplicar la configuración',
            'changed=1',
          ),
          run('psql service=pedidos -Atc "SELECT pg_reload_conf()"', 'Recargar', 't'),
        ],
        [
          say('Aplicado con una simple recarga, ese parámetro no necesita reinicio. Ahora la tabla eventos.'),
          run(
            `psql service=pedidos -Atc "SELECT * FROM pgstattuple('eventos')"`,
            'Cuánto hay muerto en eventos',
            '41 %',
          ),
        ],
        [
          say(
            'De los 61 GB de eventos, 25 GB son filas muertas (41 %). Descarto VACUUM FULL: bloquea la tabla en exclusiva mientras dura y la tienda escribe en ella con cada pedido. Uso pg_repack, que trabaja en línea. Eso sí, pg_repack hace una copia completa de la tabla con sus índices y necesita unos 75 GB libres: con los 15 GB que había antes de liberar el WAL habría llenado el disco del todo.',
          ),
          fail(
            "ssh db-pedidos-1 'pg_repack -d pedidos -t eventos --no-kill-backend'",
            'Compactar eventos en línea',
            'does not match database library',
          ),
        ],
        [
          say(
            'El binario es pg_repack 1.5.0 y la extensión en la base sigue en 1.4.8: el paquete se actualizó el 20 de mayo, pero nadie recreó la extensión. No admite ALTER EXTENSION UPDATE, hay que borrarla y crearla de nuevo; no guarda datos, así que no hay riesgo.',
          ),
          run(
            'psql service=pedidos -c "DROP EXTENSION pg_repack" -c "CREATE EXTENSION pg_repack"',
            'Recrear la extensión',
            'CREATE EXTENSION',
          ),
        ],
        [
          say('Listo. Lanzo el repack; son las 19:40 y calculo unas dos horas, termina antes del backup.'),
          cut(
            "ssh db-pedidos-1 'pg_repack -d pedidos -t eventos --no-kill-backend' | tee repack.log",
            'Compactar eventos en línea',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['preference', 'gotcha'], says: [/pg_wal/, /a mano/, /restaurar|marzo|borrar/], prompt: 1 },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/replica_informes/, /187 GB|retiene|WAL/, /informes-01|huérfano|inactivo/],
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/slot/, /checkpoint/, /no libera|siguiente/] },
      {
        type: ['decision', 'change', 'gotcha'],
        says: [/40 ?GB/, /max_slot_wal_keep_size|carga nocturna|informes-02/],
      },
      { type: ['decision', 'gotcha'], says: [/VACUUM FULL/, /pg_repack/, /bloquea|exclusiva|en línea/] },
      {
        type: ['gotcha', 'how-it-works', 'decision'],
        says: [/pg_repack/, /copia completa|75 GB/, /libres|disco/],
      },
      { type: ['preference'], says: [/23:00/, /backup/, /pesado/] },
      {
        type: ['gotcha', 'bugfix', 'discovery'],
        says: [/1\.5\.0/, /1\.4\.8/, /extensión/],
      },
    ],
    niceToHave: [
      { type: ['discovery'], says: [/archivado/, /failed_count|está bien/] },
      { type: ['discovery'], says: [/logs/, /3,1 GB|descartados/] },
      { type: ['discovery'], says: [/eventos/, /61 GB/, /25 GB|41 %/] },
      { type: ['how-it-works', 'discovery', 'change'], says: [/recarga/, /reinicio|max_slot_wal_keep_size/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/db-pedidos-1|disco/],
        filesRead: [RUNBOOK, CAMBIOS],
        filesModified: [CONF],
      },
    ],
    noise: [
      'Voy a ver primero cómo está el disco',
      'Ahora la tabla eventos',
      'Lo mido.',
      /Listo\. Lanzo el repack/,
      'Gestionado por Ansible',
    ],
    untrue: [
      /lo más probable es que el disco lo estén llenando los logs/,
      /max_slot_wal_keep_size (=|está en|queda en) ?10 ?GB(?!.{0,40}40)/,
      /empiezo con 10 ?GB/,
      /eventos (ya )?(está|ha sido|quedó|fue) compactada/,
      /(el )?repack (ha )?(terminó|terminado|acabó|finalizó)/,
    ],
    followUps: [
      {
        asks: 'el volumen de la base vuelve a estar lleno, voy a quitar los segmentos wal más antiguos con rm',
        says: [/pg_wal/, /a mano/],
      },
      {
        asks: 'he eliminado un slot de replicación que sobraba y el espacio libre no cambia, ¿qué me falta?',
        says: [/checkpoint/, /slot/],
      },
      {
        asks: 'baja el límite de wal retenido por slot a 5 gigas, que así sobra sitio',
        says: [/40 ?GB/, /carga nocturna|informes-02|9 GB/],
      },
      {
        asks: 'quiero reducir la tabla pagos, ¿le paso un vacuum full esta noche a las once y media?',
        says: [/VACUUM FULL/, /bloquea|exclusiva/],
      },
      {
        asks: '¿cuánto espacio tiene que quedar para reorganizar una tabla grande en caliente?',
        says: [/pg_repack/, /copia completa|75 GB/],
      },
    ],
    unrelated: [
      'añade un host nuevo de redis al inventario',
      '¿qué diferencia hay entre un rol y una colección en ansible?',
      'el certificado del panel de grafana caduca el mes que viene, ¿dónde se renueva?',
    ],
  },
};
