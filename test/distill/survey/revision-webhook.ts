import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const PACKAGE = 'src/main/kotlin/es/cobros/webhook';
const DISPATCHER = `${PACKAGE}/WebhookDispatcher.kt`;
const DEDUP = `${PACKAGE}/FiltroDuplicados.kt`;
const CLIENT = `${PACKAGE}/ClienteComercio.kt`;
const SPEC = 'src/test/kotlin/es/cobros/webhook/WebhookDispatcherTest.kt';
const CONTRACT = 'docs/contrato-comercios.md';

export const revisionWebhook: SurveySession = {
  name: 'revision-webhook',
  about: 'A review of retries in a Kotlin service: four findings, one suspicion withdrawn, nothing changed.',
  kind: 'review',
  language: 'es',
  ecosystem: 'kotlin',
  files: {
    'build.gradle.kts': `plugins {
    kotlin("jvm") version "2.0.21"
}

dependencies {
    implementation("org.jetbrains.kotlinx:kotlinx-coroutines-core:1.9.0")
    testImplementation("org.junit.jupiter:junit-jupiter:5.10.3")
    testImplementation("io.mockk:mockk:1.13.12")
}
`,
    [DISPATCHER]: `package es.cobros.webhook

import kotlinx.coroutines.*
import org.slf4j.LoggerFactory
import java.util.UUID

class WebhookDispatcher(
    private val cliente: ClienteComercio,
    private val repo: EntregasRepo,
) {
    private val log = LoggerFactory.getLogger(javaClass)
    private val unHilo = Dispatchers.IO.limitedParallelism(1)
    private val ambito = CoroutineScope(SupervisorJob() + unHilo)
    private val pendientes = mutableMapOf<String, Evento>()

    fun encolar(evento: Evento) = ambito.launch {
        pendientes[evento.id] = evento
        val resultado = entregar(evento)
        pendientes.remove(evento.id)
        repo.guardar(evento.id, resultado)
    }

    internal suspend fun entregar(evento: Evento): Resultado {
        repeat(MAX_INTENTOS) { intento ->
            runCatching {
                if (intento > 0) delay(1_000L shl intento)
                cliente.post(evento.url, evento.cuerpo, clave = UUID.randomUUID().toString())
            }.onSuccess { return Resultado.ENTREGADO }
                .onFailure { log.warn("intento {} fallido", intento, it) }
        }
        return Resultado.AGOTADO
    }

    fun cerrar() = ambito.cancel()

    companion object {
        const val MAX_INTENTOS = 8
    }
}
`,
    [CLIENT]: `package es.cobros.webhook

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

class ClienteComercio(private val http: Http) {
    suspend fun post(url: String, cuerpo: String, clave: String) = withContext(Dispatchers.IO) {
        http.post(url, cuerpo, mapOf("Idempotency-Key" to clave))
    }
}
`,
    [DEDUP]: `package es.cobros.webhook

class FiltroDuplicados(private val repo: EntregasRepo) {
    fun esDuplicado(evento: Evento): Boolean {
        val previo = repo.ultimo(evento.comercio) ?: return false
        return previo.referencia == evento.referencia && previo.importe == evento.importe
    }
}
`,
    [`${PACKAGE}/Modelo.kt`]: `package es.cobros.webhook

import java.math.BigDecimal

data class Evento(
    val id: String,
    val comercio: String,
    val referencia: String,
    val importe: BigDecimal,
    val url: String,
    val cuerpo: String,
)

enum class Resultado { ENTREGADO, AGOTADO }

/** JDBC, bloqueante. AGOTADO no se vuelve a encolar nunca. */
interface EntregasRepo {
    fun guardar(id: String, resultado: Resultado)
    fun ultimo(comercio: String): Evento?
}
`,
    [SPEC]: `package es.cobros.webhook

class WebhookDispatcherTest {
    @Test
    fun entregaALaPrimera() = runBlocking<Unit> {
        assertEquals(Resultado.ENTREGADO, dispatcher().entregar(evento()))
    }

    @Test
    fun reintentaTrasUn503() = runBlocking<Unit> {
        assertEquals(Resultado.ENTREGADO, dispatcher(fallos = 1).entregar(evento()))
    }

    @Test
    fun agotaLosIntentos() = runBlocking<Unit> {
        assertEquals(Resultado.AGOTADO, dispatcher(fallos = 99).entregar(evento()))
    }

    @Test
    fun noReintentaTrasUn410() = runBlocking {
        assertThrows<ComercioDesaparecido> { dispatcher(codigo = 410).entregar(evento()) }
    }
}
`,
    [CONTRACT]: `# Contrato con los comercios

## 4. Notificaciones

4.1 El comercio responde 2xx en menos de 10 s.
4.2 Un 410 significa que el endpoint ya no existe.
4.3 El comercio descarta una notificación cuya cabecera Idempotency-Key ya haya visto en las últimas 24 h.
`,
  },
  programs: {
    gradle: `#!/bin/sh
cat <<'OUT'
> Task :compileKotlin UP-TO-DATE
> Task :test

WebhookDispatcherTest > entregaALaPrimera() PASSED
WebhookDispatcherTest > reintentaTrasUn503() PASSED
WebhookDispatcherTest > agotaLosIntentos() PASSED

BUILD SUCCESSFUL in 11s
4 actionable tasks: 2 executed, 2 up-to-date
OUT
`,
  },
  prompts: [
    'revisa porfa el paquete webhook antes de que Nacho lo saque a prod el jueves. solo leer, no toques nada. y lo de estilo ahórratelo, para eso está ktlint: en las revisiones quiero fichero y línea y ordenado por gravedad',
    'Nacho dice que lo de la clave da igual pq el comercio ya deduplica por su lado. es verdad?',
    'vale pues entonces el jueves no sale hasta q estén la 1 y la 2. lo del BigDecimal va aparte en COB-412, no lo metáis en este PR. gracias!',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('Voy a mirar primero qué hay en el paquete y cómo están los tests.'),
          run(
            'git ls-files && git log --oneline | head -5',
            'Listar ficheros e historial',
            'WebhookDispatcher.kt',
          ),
        ],
        [read(DISPATCHER), read(CLIENT), read(DEDUP), read(`${PACKAGE}/Modelo.kt`)],
        [
          say(
            'Ya hay un par de cosas que huelen mal. Apunto como sospecha que `pendientes` es un mutableMap normal y lo tocan varias corrutinas: parece una carrera de datos. Compruebo quién accede.',
          ),
          run(
            'grep -rn "pendientes\\|unHilo\\|ambito" src/main',
            'Buscar los accesos al mapa',
            'limitedParallelism(1)',
          ),
        ],
        [
          say(
            'Retiro la sospecha de la carrera: todos los accesos a `pendientes` ocurren dentro de `ambito`, que corre sobre `limitedParallelism(1)`, así que nunca hay dos corrutinas a la vez en el mapa. Seguimos con los tests.',
          ),
          read(SPEC),
          run('gradle test --rerun-tasks', 'Ejecutar los tests', 'BUILD SUCCESSFUL'),
        ],
        [
          say('Verde, pero me salen menos de los que esperaba. Cuento.'),
          run(
            `grep -c "@Test" ${SPEC}; gradle test --rerun-tasks | grep -c PASSED`,
            'Comparar tests escritos y ejecutados',
            '4\n3',
          ),
        ],
        [
          say(
            'Cuatro escritos, tres ejecutados. `noReintentaTrasUn410` no se ejecuta nunca: `= runBlocking { assertThrows… }` devuelve la excepción en vez de Unit, y JUnit 5 ignora sin avisar los métodos @Test que no son void.',
          ),
          run(
            `grep -n "runCatching\\|delay\\|randomUUID" ${DISPATCHER}; grep -n "importe ==" ${DEDUP}; grep -n "410" ${SPEC}`,
            'Sacar los números de línea',
            'randomUUID',
          ),
        ],
        [
          say(
            `## Revisión de \`webhook/\`

He revisado el paquete a fondo y en general está muy bien estructurado. No he modificado ningún fichero.

### Bloqueantes

1. **\`WebhookDispatcher.kt:25\` – \`runCatching\` se traga la \`CancellationException\`.** Al llamar a \`cerrar()\` en un despliegue, cada \`delay\` lanza al instante, el bucle quema los intentos que quedan en milisegundos y el evento se guarda como AGOTADO, que no se reencola nunca: cada despliegue pierde las notificaciones en vuelo. Hay que relanzar la cancelación.
2. **\`WebhookDispatcher.kt:27\` – la Idempotency-Key se genera dentro del bucle.** Cada reintento lleva un UUID nuevo, o sea que un timeout con el cobro ya procesado acaba en una notificación doble. Lo natural es derivarla de \`evento.id\`.

### Graves

3. **\`WebhookDispatcherTest.kt:20\` – test que no corre.** Si se ejecutara saldría rojo, porque \`entregar\` reintenta el 410 como cualquier otro fallo. Se arregla con \`runBlocking<Unit>\`.
4. **\`FiltroDuplicados.kt:6\` – \`==\` entre BigDecimal compara también la escala.** 10.0 y 10.00 salen distintos y el duplicado pasa el filtro; aquí toca \`compareTo\`.

### Descartado

- La carrera en \`pendientes\`: no existe.

¿Quieres que prepare los parches de los dos primeros? Quedo a tu disposición para lo que necesites.`,
          ),
        ],
        [
          say('Buena pregunta. Miro qué dice el contrato.'),
          run('grep -rn -i "idempot" docs src', 'Buscar la deduplicación', '24 h'),
        ],
        [read(CONTRACT)],
        [
          say(
            'A medias. Según el punto 4.3 del contrato el comercio deduplica, pero solo por la cabecera Idempotency-Key y durante 24 h. Como nosotros mandamos una clave distinta en cada intento, para él son notificaciones distintas y no descarta nada. Nacho tendría razón si la clave fuera estable; mantengo el hallazgo 2 como bloqueante.',
          ),
        ],
        [
          say(
            'Entendido: 1 y 2 bloquean la salida del jueves, y el BigDecimal va en COB-412. El 3 queda pendiente de que decidáis. ¡Suerte con el despliegue!',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/runCatching|CancellationException|cancelaci/, /AGOTADO/, /despliegue|cerrar/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/Idempotency-Key|clave/, /24 h|UUID nuevo|distint/, /reintento|intento/],
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/noReintentaTrasUn410|runBlocking/, /JUnit/, /ignora|no se ejecuta/],
        prompt: 1,
      },
      { type: ['decision', 'preference'], says: [/jueves/, /la 1 y la 2|1 y 2/], prompt: 3 },
      { type: 'preference', says: [/ktlint|estilo/, /fichero y línea/, /gravedad/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/BigDecimal/, /escala/], prompt: 1 },
      { type: ['discovery', 'how-it-works'], says: [/pendientes/, /limitedParallelism\(1\)/], prompt: 1 },
      { type: ['decision', 'preference'], says: [/BigDecimal/, /COB-412/], prompt: 3 },
      { type: ['discovery', 'gotcha'], says: [/410/, /reintenta/, /rojo/], prompt: 1 },
      { type: ['discovery', 'how-it-works'], says: [/4\.3|contrato/, /deduplica/, /24 h/], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, request: [/webhook/], learned: [/CancellationException|Idempotency-Key|JUnit/] },
      { prompt: 2, request: [/clave|deduplica/], learned: [/Idempotency-Key|24 h/] },
      { prompt: 3, optional: true, request: [/jueves|COB-412/] },
    ],
    noise: [
      'Voy a mirar primero qué hay en el paquete',
      'un par de cosas que huelen mal',
      'en general está muy bien estructurado',
      'Quedo a tu disposición',
      'Suerte con el despliegue',
      'BUILD SUCCESSFUL in 11s',
      'parece una carrera de datos',
    ],
    untrue: [
      /hay una carrera/,
      /(se ha|he|hemos) (corregido|arreglado)/,
      /el comercio deduplica por su lado, así que da igual/,
    ],
    followUps: [
      {
        asks: 'se nos pierden avisos a tiendas justo cuando reiniciamos los pods, ¿por dónde puede venir?',
        says: [/AGOTADO/],
      },
      {
        asks: 'un cliente recibe dos veces el mismo aviso de pago tras un timeout. qué sabemos de eso?',
        says: [/Idempotency-Key|clave/],
      },
      {
        asks: 'he escrito un test con corrutinas y no sale en el informe de gradle, no da error ni nada',
        says: [/JUnit/, /ignora|no se ejecuta/],
      },
      {
        asks: 'hace falta poner un mutex o un ConcurrentHashMap en el mapa de pendientes del dispatcher?',
        says: [/limitedParallelism/],
      },
      {
        asks: 'hazme una revisión del módulo de conciliación, en qué formato la presento?',
        says: [/gravedad/],
      },
      { asks: 'arreglo la comparación de importes en este mismo PR?', says: [/COB-412/] },
    ],
    unrelated: [
      'actualiza el README con los pasos para levantar la base de datos en local',
      'añade un endpoint para exportar las facturas del mes a CSV',
      'el build tarda mucho en CI, mira si se puede cachear el directorio de dependencias',
    ],
  },
};
