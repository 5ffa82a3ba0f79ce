import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PUJAS = 'lib/subastas/pujas.ex';
const LOTE = 'lib/subastas/lote.ex';
const APP = 'lib/subastas/application.ex';
const REPO = 'lib/subastas/historial.ex';
const TEST = 'test/subastas/pujas_test.exs';
const BENCH = 'bench/pujas.exs';
const LIVE = 'lib/subastas_web/live/sala_live.ex';

const MIX = `#!/bin/sh
# Stands in for mix: the tests of the bids, and the bench.
case "$*" in
  compile*) echo "Compiling 3 files (.ex)"; exit 0 ;;
  *bench*)
    if [ ! -f ${LOTE} ]; then echo "60 lotes, 600 pujadores: p50 1902 ms, p99 4810 ms, timeouts 41"
    elif grep -q Task.Supervisor ${LOTE}; then echo "60 lotes, 600 pujadores: p50 9 ms, p99 38 ms, timeouts 0"
    else echo "60 lotes, 600 pujadores: p50 61 ms, p99 212 ms, timeouts 0"; fi
    exit 0 ;;
  test*)
    if grep -q ':ets' ${PUJAS}; then
      echo "  1) property dos pujas iguales nunca se aceptan (Subastas.PujasTest)"
      echo "     dos pujas aceptadas por 1200 en el lote 17"
      echo "42 tests, 1 failure"; exit 2
    fi
    if [ -f ${LOTE} ] && ! grep -q already_started ${PUJAS}; then
      echo "  1) test dos primeras pujas a la vez (Subastas.PujasTest)"
      echo "     ** (MatchError) no match of right hand side value: {:error, {:already_started, #PID<0.412.0>}}"
      echo "44 tests, 1 failure"; exit 2
    fi
    if [ -f ${LOTE} ]; then echo "45 tests, 0 failures"; else echo "42 tests, 0 failures"; fi
    exit 0 ;;
esac
exit 1
`;

const ORIGINAL = `defmodule Subastas.Pujas do
  use GenServer

  def start_link(_), do: GenServer.start_link(__MODULE__, %{}, name: __MODULE__)

  def pujar(lote_id, puja), do: GenServer.call(__MODULE__, {:pujar, lote_id, puja})
  def estado(lote_id), do: GenServer.call(__MODULE__, {:estado, lote_id})

  def handle_call({:pujar, lote_id, puja}, _from, lotes) do
    maxima = Map.get(lotes, lote_id, 0)

    if puja.importe > maxima do
      {:ok, _} = Subastas.Historial.guardar(lote_id, puja)
      SubastasWeb.Endpoint.broadcast("lote:#{lote_id}", "puja", puja)
      {:reply, :ok, Map.put(lotes, lote_id, puja.importe)}
    else
      {:reply, {:error, :baja}, lotes}
    end
  end

  def handle_call({:estado, lote_id}, _from, lotes), do: {:reply, Map.get(lotes, lote_id, 0), lotes}
end
`;

const WITH_ETS = `defmodule Subastas.Pujas do
  @tabla :pujas

  def iniciar, do: :ets.new(@tabla, [:named_table, :public, write_concurrency: true])

  def pujar(lote_id, puja) do
    if puja.importe > estado(lote_id) do
      {:ok, _} = Subastas.Historial.guardar(lote_id, puja)
      :ets.insert(@tabla, {lote_id, puja.importe})
      :ok
    else
      {:error, :baja}
    end
  end

  def estado(lote_id), do: :ets.lookup_element(@tabla, lote_id, 2, 0)
end
`;

const PER_LOT = `defmodule Subastas.Pujas do
  alias Subastas.Lote

  def pujar(lote_id, puja), do: GenServer.call(proceso(lote_id), {:pujar, puja})
  def estado(lote_id), do: GenServer.call(proceso(lote_id), :estado)

  defp proceso(lote_id) do
    case Registry.lookup(Subastas.Lotes, lote_id) do
      [{pid, _}] ->
        pid

      [] ->
        {:ok, pid} = DynamicSupervisor.start_child(Subastas.Supervisor.Lotes, {Lote, lote_id})
        pid
    end
  end
end
`;

const LOTE_SOURCE = `defmodule Subastas.Lote do
  use GenServer, restart: :transient

  @inactivo :timer.minutes(15)

  def start_link(lote_id), do: GenServer.start_link(__MODULE__, lote_id, name: via(lote_id))

  def init(lote_id), do: {:ok, %{id: lote_id, maxima: nil}, {:continue, :cargar}}

  def handle_continue(:cargar, lote) do
    {:noreply, %{lote | maxima: Subastas.Historial.maxima(lote.id)}, @inactivo}
  end

  def handle_call({:pujar, %{importe: i} = puja}, _from, %{maxima: m} = lote) when i > m do
    {:ok, _} = Subastas.Historial.guardar(lote.id, puja)
    SubastasWeb.Endpoint.broadcast("lote:#{lote.id}", "puja", puja)
    {:reply, :ok, %{lote | maxima: i}, @inactivo}
  end

  def handle_call({:pujar, _}, _from, lote), do: {:reply, {:error, :baja}, lote, @inactivo}
  def handle_call(:estado, _from, lote), do: {:reply, lote.maxima, lote, @inactivo}

  def handle_info(:timeout, lote), do: {:stop, :normal, lote}

  defp via(lote_id), do: {:via, Registry, {Subastas.Lotes, lote_id}}
end
`;

export const subastasUnProcesoPorLoteEs: SurveySession = {
  name: 'subastas un proceso por lote es',
  about:
    'Un GenServer único es el cuello de botella de las pujas; ETS se prueba y se deshace, queda un proceso por lote.',
  kind: 'refactoring',
  language: 'es',
  ecosystem: 'elixir',
  files: {
    'mix.exs':
      'defmodule Subastas.MixProject do\n  def project, do: [app: :subastas, version: "1.9.0", elixir: "~> 1.17"]\nend\n',
    [PUJAS]: ORIGINAL,
    [APP]: `defmodule Subastas.Application do
  use Application

  def start(_type, _args) do
    children = [
      Subastas.Repo,
      Subastas.Pujas,
      SubastasWeb.Endpoint
    ]

    Supervisor.start_link(children, strategy: :one_for_one)
  end
end
`,
    [REPO]: `defmodule Subastas.Historial do
  def guardar(lote_id, puja), do: Repo.insert(%Puja{lote_id: lote_id, importe: puja.importe})
  def maxima(lote_id), do: Repo.one(from p in Puja, where: p.lote_id == ^lote_id, select: max(p.importe)) || 0
end
`,
    [LIVE]: `defmodule SubastasWeb.SalaLive do
  def handle_event("pujar", %{"importe" => i}, socket) do
    Subastas.Pujas.pujar(socket.assigns.lote, %{importe: i})
    {:noreply, socket}
  end
end
`,
    [TEST]: `defmodule Subastas.PujasTest do
  use ExUnit.Case
  use ExUnitProperties

  property "dos pujas iguales nunca se aceptan" do
    check all pujas <- list_of(puja()), do: assert aceptadas(pujas) == Enum.uniq(aceptadas(pujas))
  end
end
`,
    [BENCH]: 'Subastas.Bench.pujas(lotes: 60, pujadores: 600)\n',
  },
  programs: { mix: MIX },
  prompts: [
    'en la subasta del sábado se formó cola en el GenServer Subastas.Pujas, que atiende todos los lotes, y hubo timeouts de 5 s. quiero refactorizarlo para que un lote lento no frene a los demás. prueba con ets q me parece lo más simple. la API (pujar/2 y estado/1) no se toca, la usan la LiveView y la app de los subastadores',
    'vale, un proceso por lote entonces. que arranque con la primera puja, tenemos 4000 lotes en catálogo y abiertos a la vez unos 60. y si el proceso se cae tiene q recuperar la puja máxima de la base, nunca empezar en 0',
    'lo de los 15 min no me sirve, en los lotes de arte la gente se lo piensa media hora. que el proceso viva hasta q se cierre el lote y ya está. después commit. los mensajes de commit van en inglés, sin prefijos tipo feat: o fix:, y el ticket al final entre paréntesis, este es SUB-218',
    'perfecto. se puede desplegar mañana?',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Voy a leer el módulo y quién lo usa, y después mido cómo está ahora.'),
          read(PUJAS),
          read(REPO),
          read(APP),
          run('grep -rn "Pujas\\." lib --include=*.ex', 'Quién usa la API', 'sala_live.ex'),
        ],
        [run('mix run bench/pujas.exs', 'Medida de partida', 'p99 4810 ms')],
        [
          say(
            'Punto de partida: p99 de 4810 ms y 41 timeouts. Paso el estado a una tabla ETS pública; así cada proceso que puja escribe por su cuenta y no hay cola.',
          ),
          write(PUJAS, WITH_ETS),
        ],
        [fail('mix test', 'Pruebas con ETS', 'dos pujas aceptadas por 1200')],
        [
          say(
            'La prueba de propiedades tiene razón: leer la máxima, comparar e insertar son tres pasos, y con ETS dos procesos pueden leer el mismo valor. Miro si `:ets.select_replace` lo arregla... No del todo: hace el cambio atómico en la tabla, pero la puja tiene que estar guardada en Postgres antes de aceptarla. Lo deshago.',
          ),
          run(`git checkout -q ${PUJAS} && git status --short | wc -l`, 'Deshacer ETS', '0'),
          run('mix test', 'Pruebas tras deshacer', '42 tests, 0 failures'),
        ],
        [
          say(`He probado ETS y **lo he deshecho**; el árbol está otra vez como al principio.

## Por qué ETS no vale aquí

- Con ETS, leer, comparar e insertar no es atómico: dos pujas de 1200 se aceptaron a la vez en el lote 17.
- \`:ets.select_replace\` daría la atomicidad en memoria, pero la puja se guarda en Postgres antes de responder. Si el guardado falla después del cambio en la tabla, los demás pujadores ya han visto un importe que no existe.

## Lo que propongo

Un proceso por lote: dentro de un lote las pujas siguen en orden, y entre lotes no se esperan. Las piezas son \`Registry\`, \`DynamicSupervisor\` y un GenServer pequeño \`Subastas.Lote\`. \`pujar/2\` y \`estado/1\` quedan iguales.

¿Sigo por ahí?`),
        ],
        [say('Empiezo por el proceso del lote.'), read(PUJAS), write(LOTE, LOTE_SOURCE)],
        [
          write(PUJAS, PER_LOT),
          edit(
            APP,
            '      Subastas.Pujas,\n',
            '      {Registry, keys: :unique, name: Subastas.Lotes},\n      {DynamicSupervisor, name: Subastas.Supervisor.Lotes},\n      {Task.Supervisor, name: Subastas.Avisos},\n',
          ),
          run('mix compile', 'Compilar', 'Compiling 3 files'),
          read(TEST),
        ],
        [
          edit(
            TEST,
            '  property "dos pujas iguales',
            `  test "dos primeras pujas a la vez", do: assert [:ok, {:error, :baja}] = a_la_vez(lote(), 100, 100)
  test "un lote caído recupera la máxima", do: assert recuperada(lote(), 700) == 700

  property "dos pujas iguales`,
          ),
        ],
        [fail('mix test', 'Pruebas', 'already_started')],
        [
          say(
            'Otra carrera: dos primeras pujas simultáneas intentan arrancar el mismo lote. El Registry solo deja uno, y `start_child` devuelve `{:error, {:already_started, pid}}` al segundo. Ese pid es bueno, hay que usarlo.',
          ),
          edit(
            PUJAS,
            '        {:ok, pid} = DynamicSupervisor.start_child(Subastas.Supervisor.Lotes, {Lote, lote_id})\n        pid\n',
            `        case DynamicSupervisor.start_child(Subastas.Supervisor.Lotes, {Lote, lote_id}) do
          {:ok, pid} -> pid
          {:error, {:already_started, pid}} -> pid
        end
`,
          ),
        ],
        [run('mix test', 'Pruebas', '0 failures'), run('mix run bench/pujas.exs', 'Medir', 'p99 212 ms')],
        [
          say(
            'El p99 baja a 212 ms. Lo que queda es el broadcast, que se hace dentro de la llamada. Lo saco a una tarea.',
          ),
          edit(
            LOTE,
            '    SubastasWeb.Endpoint.broadcast("lote:#{lote.id}", "puja", puja)\n',
            '    Task.Supervisor.start_child(Subastas.Avisos, fn -> SubastasWeb.Endpoint.broadcast("lote:#{lote.id}", "puja", puja) end)\n',
          ),
        ],
        [
          run('mix run bench/pujas.exs', 'Medir otra vez', 'p99 38 ms'),
          run('mix test', 'Pruebas', '45 tests, 0 failures'),
        ],
        [
          say(`Listo, un proceso por lote y las 45 pruebas en verde.

**Cómo queda**

- \`Subastas.Lote\` arranca con la primera puja y carga la máxima de Postgres en \`handle_continue\`; mientras carga no atiende pujas, así que nunca compara contra 0.
- Es \`restart: :transient\`: si se cae, el supervisor lo levanta y vuelve a leer la base.
- Tras 15 minutos sin pujas el proceso se para solo para liberar memoria.
- Si dos primeras pujas llegan a la vez, la segunda usa el pid de \`already_started\`.

**Rendimiento** (60 lotes, 600 pujadores)

| | p99 | timeouts |
|---|---|---|
| antes | 4810 ms | 41 |
| ahora | 38 ms | 0 |

Una consecuencia de sacar el broadcast a \`Task.Supervisor\`: los avisos de dos pujas seguidas pueden llegar en otro orden. La pantalla debe quedarse con el importe mayor, no con el último recibido.

¿Quieres que añada también telemetría por lote?`),
        ],
        [
          say('Quito el temporizador y miro cómo se anuncia el cierre.'),
          read(LIVE),
          edit(LOTE, '  @inactivo :timer.minutes(15)\n\n', ''),
          edit(
            LOTE,
            ', @inactivo}\n  end\n\n  def handle_call({:pujar, %{',
            '}\n  end\n\n  def handle_call({:pujar, %{',
          ),
          edit(LOTE, '{:reply, :ok, %{lote | maxima: i}, @inactivo}', '{:reply, :ok, %{lote | maxima: i}}'),
        ],
        [
          edit(
            LOTE,
            '  def handle_call({:pujar, _}, _from, lote), do: {:reply, {:error, :baja}, lote, @inactivo}\n  def handle_call(:estado, _from, lote), do: {:reply, lote.maxima, lote, @inactivo}\n\n  def handle_info(:timeout, lote), do: {:stop, :normal, lote}\n',
            '  def handle_call({:pujar, _}, _from, lote), do: {:reply, {:error, :baja}, lote}\n  def handle_call(:estado, _from, lote), do: {:reply, lote.maxima, lote}\n\n  def handle_info({:lote_cerrado, id}, %{id: id} = lote), do: {:stop, :normal, lote}\n',
          ),
          edit(
            LOTE,
            '{:ok, %{id: lote_id, maxima: nil}, {:continue, :cargar}}',
            '(Phoenix.PubSub.subscribe(Subastas.PubSub, "cierres"); {:ok, %{id: lote_id, maxima: nil}, {:continue, :cargar}})',
          ),
        ],
        [
          say(
            'Falta un detalle: una puja que llega tarde, con el lote ya cerrado, volvería a arrancar el proceso. Hago que `Historial.maxima` devuelva `:cerrado` y que el lote conteste `{:error, :cerrado}`.',
          ),
          edit(
            REPO,
            '  def maxima(lote_id), do: ',
            '  def maxima(lote_id), do: if cerrado?(lote_id), do: :cerrado, else: ',
          ),
          run('mix test', 'Pruebas', '45 tests, 0 failures'),
        ],
        [
          run(
            'git add -A && git commit -qm "Run one process per lot instead of one for all (SUB-218)" && git log --oneline -1',
            'Commit',
            'SUB-218',
          ),
        ],
        [
          say(`Hecho, y con commit: *Run one process per lot instead of one for all (SUB-218)*.

- El proceso vive hasta que recibe \`{:lote_cerrado, id}\` por PubSub, en el tema \`cierres\`; ya no hay ningún temporizador.
- Una puja tardía recibe \`{:error, :cerrado}\` y no resucita el lote.
- No he medido de nuevo la memoria, pero con unos 60 procesos abiertos es despreciable.

¡Ha quedado bastante más limpio que antes!`),
        ],
        [
          say(
            'Por mi parte sí, con una condición: al reiniciar, el estado en memoria se pierde y cada lote vuelve a leer su máxima, lo que no es problema, pero los avisos en vuelo del `Task.Supervisor` se pierden. Por eso no conviene desplegar con una sala abierta. Además el despliegue con dos nodos todavía no está resuelto: `Registry` es local a cada nodo, así que con dos nodos habría dos procesos para el mismo lote. Mientras haya un solo nodo en producción no pasa nada; para escalar haría falta Horde o `:global`. ¡Suerte mañana!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'gotcha', 'discovery', 'refactor'],
        says: [/ETS/, /atómic|a la vez|Postgres antes|mismo valor/],
        prompt: 1,
      },
      {
        type: ['refactor', 'change', 'decision', 'feature', 'how-it-works'],
        says: [/proceso por lote|Subastas\.Lote|DynamicSupervisor|process per lot/],
        files: [LOTE],
      },
      {
        type: ['preference', 'decision'],
        says: [/commit/, /inglés/, /ticket|prefijos/],
        prompt: 3,
      },
      {
        type: ['decision', 'preference', 'change', 'refactor', 'how-it-works'],
        says: [/proceso/, /cierre|lote_cerrado|cerrad/, /viv|temporizador|hasta/],
        prompt: 3,
      },
      {
        type: ['preference', 'decision', 'refactor', 'how-it-works', 'gotcha', 'feature', 'change'],
        says: [/máxima/, /base|Postgres/, /recupera|carga|lee|leer|nunca/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'decision', 'how-it-works'],
        says: [/Registry/, /dos nodos|local a cada nodo/],
        prompt: 4,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision', 'change', 'refactor'],
        says: [/broadcast|avisos/, /orden|importe mayor/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'decision', 'discovery', 'preference', 'how-it-works'],
        says: [/desplegar|despliegue|reiniciar/, /sala abierta|en vuelo|se pierde/],
        prompt: 4,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'bugfix', 'discovery', 'refactor', 'how-it-works'], says: [/already_started/] },
      { type: ['preference', 'decision', 'gotcha'], says: [/pujar\/2|API/, /no se toca|iguales|LiveView/] },
      { type: ['discovery', 'refactor', 'change', 'how-it-works'], says: [/38 ms/] },
      {
        type: ['gotcha', 'bugfix', 'change', 'how-it-works', 'feature', 'refactor'],
        says: [/tard/, /:cerrado/],
      },
      { type: ['discovery', 'how-it-works', 'decision', 'preference'], says: [/4000/, /60/] },
      { type: ['preference', 'decision', 'discovery'], says: [/arte/, /media hora|15 min/] },
    ],
    summaries: [
      { prompt: 1, request: [/GenServer|ets/], learned: [/ETS|atómic|select_replace/] },
      {
        prompt: 2,
        request: [/proceso por lote/],
        completed: [/proceso por lote|Subastas\.Lote|38 ms/],
        filesModified: [LOTE, PUJAS, APP],
      },
      {
        prompt: 3,
        request: [/15 min|commit/],
        completed: [/lote_cerrado|SUB-218|temporizador/],
        filesModified: [LOTE],
      },
      { prompt: 4, optional: true, request: [/desplegar/], learned: [/Registry|sala abierta|nodo/] },
    ],
    noise: [
      'Voy a leer el módulo',
      '¿Sigo por ahí?',
      'Empiezo por el proceso del lote',
      'las 45 pruebas en verde',
      'añada también telemetría',
      'Ha quedado bastante más limpio',
      '¡Suerte mañana!',
    ],
    untrue: [
      /(tras|a los|después de) 15 min(utos)?[^.\n]{0,30}se para\b/,
      /^(?![\s\S]*38 ms)[\s\S]*p99[^.\n]{0,20}212 ms/,
      /pas(o|a|ar) el estado a una tabla ETS(?![\s\S]*(des(hi|he)|atómic|no vale))/,
      /así cada proceso que puja escribe por su cuenta/,
    ],
    followUps: [
      {
        asks: 'no sería más rápido tener el precio actual en una tabla en memoria compartida en vez de tantos GenServers?',
        says: [/ETS/, /atómic|a la vez|Postgres/],
      },
      {
        asks: 'vamos a poner una segunda máquina detrás del balanceador, algo que vigilar con las salas?',
        says: [/Registry/, /nodo/],
      },
      {
        asks: 'cómo tengo que redactar la descripción al guardar mis cambios en git en este repo?',
        says: [/inglés/, /ticket|paréntesis/],
      },
      {
        asks: 'cuándo desaparece de memoria lo que lleva la cuenta de un artículo? veo algunos vivos desde hace una hora',
        says: [/cierre|lote_cerrado|cerrad/],
      },
      {
        asks: 'en la pantalla a veces salta a una cifra más pequeña y luego vuelve, qué pasa?',
        says: [/orden|importe mayor/],
      },
    ],
    unrelated: [
      'genera el catálogo en pdf con dos columnas por página',
      'cómo se actualiza tailwind en un proyecto phoenix?',
      'añade al formulario de alta el campo NIF con su validación',
    ],
  },
};
