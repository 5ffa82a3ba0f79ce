import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BUILD = 'build.sbt';
const TARIFFS = 'src/main/scala/peajes/Tarifas.scala';
const IMPORT = 'src/main/scala/peajes/Importador.scala';

export const scala213Es: SurveySession = {
  name: 'scala 213 es',
  about: 'Subida de Scala 2.12 a 2.13; la persona corrige una suposición sobre mapValues.',
  kind: 'upgrade',
  language: 'es',
  ecosystem: 'scala',
  files: {
    [BUILD]: `name := "peajes"
scalaVersion := "2.12.18"
libraryDependencies += "org.apache.spark" %% "spark-sql" % "3.5.1" % "provided"
`,
    [TARIFFS]: `package peajes

object Tarifas {
  def conIva(base: Map[String, BigDecimal]): Map[String, BigDecimal] =
    base.mapValues(_ * BigDecimal("1.21"))
}
`,
    [IMPORT]: `package peajes

import scala.collection.JavaConverters._

object Importador {
  def lineas(r: java.util.List[String]): Seq[String] = r.asScala
}
`,
    'docs/cluster.md': '# Clúster\n\nEl clúster de Zaragoza ejecuta Spark 3.5.1 compilado para Scala 2.13.\n',
  },
  programs: {
    sbt: `#!/bin/sh
if grep -q JavaConverters src/main/scala/peajes/Importador.scala; then
  if grep -q 2.13 build.sbt; then
    echo '[error] Importador.scala:6: type mismatch; found: scala.collection.mutable.Buffer[String] required: Seq[String]'
    echo '[error] two errors found'
    exit 1
  fi
fi
echo '[info] Passed: Total 63, Failed 0, Errors 0, Passed 63'
`,
  },
  prompts: [
    'Hay que pasar peajes de Scala 2.12 a 2.13, porque el clúster de Zaragoza ya lleva Spark compilado para 2.13 y el jar no arranca (NoSuchMethodError en scala.Predef).',
    'Ojo con una cosa: en Tarifas has puesto .view.mapValues(...).toMap y dices que es solo por el aviso. No es así: el mapValues de antes era perezoso y recalculaba en cada acceso, por eso el informe mensual tardaba 20 minutos. Déjalo como map normal y apúntalo.',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Miro el build y el código.'),
          read(BUILD),
          read(TARIFFS),
          read(IMPORT),
          read('docs/cluster.md'),
        ],
        [edit(BUILD, 'scalaVersion := "2.12.18"', 'scalaVersion := "2.13.14"')],
        [fail('sbt test', 'Compilar y probar', 'required: Seq[String]')],
        [
          edit(IMPORT, 'import scala.collection.JavaConverters._', 'import scala.jdk.CollectionConverters._'),
          edit(IMPORT, 'r.asScala', 'r.asScala.toSeq'),
          edit(
            TARIFFS,
            'base.mapValues(_ * BigDecimal("1.21"))',
            'base.view.mapValues(_ * BigDecimal("1.21")).toMap',
          ),
        ],
        [run('sbt test', 'Probar otra vez', 'Passed 63')],
        [
          say(`Listo, compila con 2.13.14 y pasan las 63 pruebas.

- En 2.13 \`Seq\` es \`immutable.Seq\`, así que lo que viene de Java necesita \`.toSeq\` después de \`.asScala\`; si no, da un error de tipos con \`Buffer\`.
- \`JavaConverters\` pasa a ser \`scala.jdk.CollectionConverters\`.
- En \`Tarifas\` el cambio a \`.view.mapValues(...).toMap\` es solo por el aviso de obsoleto, no cambia nada.

No he subido a Scala 3 porque Spark 3.5 no publica artefactos para Scala 3.`),
        ],
        [
          say('Tienes razón, me equivoqué con ese punto.'),
          edit(
            TARIFFS,
            '    base.view.mapValues(_ * BigDecimal("1.21")).toMap',
            '    // Se calcula una vez: mapValues era perezoso y repetía la multiplicación en cada acceso.\n    base.map { case (tramo, precio) => tramo -> precio * BigDecimal("1.21") }',
          ),
        ],
        [run('sbt test', 'Probar', 'Passed 63')],
        [
          say(`Cambiado: \`Tarifas.conIva\` usa ahora un \`map\` normal que calcula cada precio una sola vez, con un comentario que explica el motivo. En 2.12 \`mapValues\` devolvía una vista perezosa que repetía la multiplicación en cada acceso, y eso explica los 20 minutos del informe mensual.

Queda pendiente desplegar: el jar nuevo solo funciona en Zaragoza. El clúster de respaldo de Huesca sigue con Spark para 2.12 hasta julio, ahí hay que seguir usando la rama \`release-2.12\`.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: ['change', 'feature', 'decision'], says: [/2\.13/, /Scala/], files: [BUILD] },
      {
        type: ['gotcha', 'discovery', 'change', 'how-it-works'],
        says: [/Seq/, /immutable|\.toSeq/, /asScala|Java/],
      },
      {
        type: ['gotcha', 'discovery', 'decision', 'bugfix', 'change'],
        says: ['mapValues', /perezos/, /20 minutos|cada acceso/],
        prompt: 2,
      },
      { type: ['gotcha', 'discovery', 'decision'], says: ['Huesca', /release-2\.12|julio/], prompt: 2 },
    ],
    niceToHave: [
      { type: ['decision', 'discovery'], says: [/Scala 3/, /Spark 3\.5/] },
      { type: ['change', 'discovery', 'gotcha', 'how-it-works'], says: ['CollectionConverters'] },
      {
        type: ['discovery', 'gotcha', 'decision', 'change', 'bugfix'],
        says: ['Zaragoza', /NoSuchMethodError|2\.13/],
      },
    ],
    summaries: [
      { prompt: 1, request: ['2.13'], completed: [/2\.13/], filesModified: [BUILD, IMPORT] },
      {
        prompt: 2,
        request: ['mapValues'],
        completed: [/conIva|map/],
        nextSteps: [/Huesca|desplegar/],
        filesModified: [TARIFFS],
      },
    ],
    noise: ['Miro el build y el código', 'Tienes razón', 'me equivoqué', 'Failed 0, Errors 0'],
    untrue: [/solo por el aviso de obsoleto/, /no cambia nada/],
    followUps: [
      { asks: '¿por qué conIva no usa mapValues?', says: [/perezos|cada acceso/] },
      { asks: 'el jar falla al arrancar en Huesca', says: [/release-2\.12|2\.12/] },
      { asks: 'error de tipos: encuentra Buffer y se esperaba Seq', says: [/toSeq|immutable/] },
      {
        asks: '¿podemos migrar ya a la siguiente versión mayor del lenguaje?',
        says: [/Spark 3\.5|artefactos/],
      },
      { asks: 'el cálculo de fin de mes era lentísimo, ¿qué lo causaba?', says: [/mapValues/, /perezos/] },
    ],
    unrelated: [
      'añade un campo de matrícula al formulario de alta',
      'configura scalafmt con líneas de 100 columnas',
      'traduce el README al inglés',
    ],
  },
};
