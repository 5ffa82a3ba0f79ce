import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

export const kotlinFavoritosEs: SurveySession = {
  name: 'kotlin-favoritos-es',
  about:
    'Favoritos en una app Android con Room: la persona corta los tests instrumentados con Esc y pide tabla aparte y tests de migración con Robolectric',
  kind: 'feature',
  language: 'es',
  ecosystem: 'kotlin',
  files: {
    'app/build.gradle.kts': `plugins {
    id("com.android.application")
    id("org.jetbrains.kotlin.android")
    id("com.google.devtools.ksp")
}

android {
    namespace = "cat.cuina.receptes"
    compileSdk = 34
    defaultConfig {
        minSdk = 24
        versionCode = 87
        versionName = "3.4.0"
    }
}

ksp {
    arg("room.schemaLocation", "$projectDir/schemas")
}

dependencies {
    implementation("androidx.room:room-ktx:2.6.1")
    ksp("androidx.room:room-compiler:2.6.1")
    testImplementation("junit:junit:4.13.2")
    androidTestImplementation("androidx.room:room-testing:2.6.1")
}
`,
    'app/schemas/cat.cuina.receptes.db.AppDb/3.json':
      '{ "formatVersion": 1, "database": { "version": 3 } }\n',
    'app/src/main/java/cat/cuina/receptes/db/AppDb.kt': `package cat.cuina.receptes.db

import androidx.room.Database
import androidx.room.RoomDatabase

@Database(entities = [Receta::class], version = 3)
abstract class AppDb : RoomDatabase() {
    abstract fun recetas(): RecetaDao
}
`,
    'app/src/main/java/cat/cuina/receptes/db/Receta.kt': `package cat.cuina.receptes.db

import androidx.room.Entity
import androidx.room.PrimaryKey

@Entity(tableName = "receta")
data class Receta(
    @PrimaryKey val id: Long,
    val titulo: String,
    val minutos: Int,
)
`,
    'app/src/main/java/cat/cuina/receptes/db/RecetaDao.kt': `package cat.cuina.receptes.db

import androidx.room.Dao
import androidx.room.Insert
import androidx.room.OnConflictStrategy
import androidx.room.Query
import kotlinx.coroutines.flow.Flow

@Dao
interface RecetaDao {
    @Query("SELECT * FROM receta ORDER BY titulo")
    fun todas(): Flow<List<Receta>>

    @Insert(onConflict = OnConflictStrategy.REPLACE)
    suspend fun guardar(recetas: List<Receta>)
}
`,
    'app/src/main/java/cat/cuina/receptes/sync/SyncWorker.kt': `package cat.cuina.receptes.sync

/** Cada 6 horas: baja el catálogo y reemplaza la tabla receta. */
class SyncWorker(private val api: Api, private val dao: RecetaDao) {
    suspend fun sincronizar() = dao.guardar(api.catalogo())
}
`,
    'app/src/main/res/values/strings.xml':
      '<resources>\n    <string name="app_name">Recetas</string>\n</resources>\n',
    'app/src/main/res/values-ca/strings.xml':
      '<resources>\n    <string name="app_name">Receptes</string>\n</resources>\n',
    '.gitignore': 'build/\n.gradle-conectado\n',
  },
  programs: {
    gradle: `#!/bin/sh
case "$*" in
  *connectedDebugAndroidTest*)
    echo "> Task :app:connectedDebugAndroidTest"
    echo "Starting 214 tests on Pixel_5_API_34"
    touch .gradle-conectado
    exec sleep 60 ;;
  *testDebugUnitTest*)
    if [ -f app/src/test/java/cat/cuina/receptes/db/MigracionTest.kt ]; then
      if ! grep -q 'isIncludeAndroidResources = true' app/build.gradle.kts || ! grep -q 'assets.srcDir' app/build.gradle.kts; then
        echo "MigracionTest > de3a4 FAILED"
        echo "    java.io.FileNotFoundException: Cannot find the schema file in the assets folder: cat.cuina.receptes.db.AppDb/3.json"
        echo "BUILD FAILED in 38s"
        exit 1
      fi
      echo "MigracionTest > de3a4 PASSED"
    fi
    echo "BUILD SUCCESSFUL in 41s" ;;
  *)
    echo "BUILD SUCCESSFUL in 52s" ;;
esac
`,
  },
  how: { cut: 'interrupted', when: '.gradle-conectado' },
  script(projectDir) {
    const { run, fail, read, edit, write, cut } = callsIn(projectDir);
    const db = 'app/src/main/java/cat/cuina/receptes/db';
    return {
      main: [
        [
          say('Voy a mirar cómo está montada la base de datos antes de tocar nada.'),
          read(`${db}/AppDb.kt`),
          read(`${db}/Receta.kt`),
          read(`${db}/RecetaDao.kt`),
          read('app/build.gradle.kts'),
          run('ls app/schemas/*', 'Ver los esquemas exportados', '3.json'),
        ],
        [
          say(
            'La base está en la versión 3. Lo más sencillo es una columna `favorita` en la tabla receta, con una migración de 3 a 4.',
          ),
          edit(
            `${db}/Receta.kt`,
            '    val minutos: Int,\n',
            '    val minutos: Int,\n    val favorita: Boolean = false,\n',
          ),
          edit(`${db}/AppDb.kt`, 'version = 3', 'version = 4'),
          write(
            `${db}/Migraciones.kt`,
            `package cat.cuina.receptes.db

import androidx.room.migration.Migration
import androidx.sqlite.db.SupportSQLiteDatabase

val DE_3_A_4 = object : Migration(3, 4) {
    override fun migrate(db: SupportSQLiteDatabase) {
        db.execSQL("ALTER TABLE receta ADD COLUMN favorita INTEGER NOT NULL DEFAULT 0")
    }
}
`,
          ),
        ],
        [run('gradle assembleDebug', 'Compilar', 'BUILD SUCCESSFUL')],
        [
          say('Compila. Lanzo los tests instrumentados en el emulador para comprobar la migración.'),
          cut('gradle connectedDebugAndroidTest', 'Tests instrumentados en el emulador'),
        ],
        [
          say('Entendido, paro ahí. Miro primero cómo escribe la sincronización en la tabla.'),
          read('app/src/main/java/cat/cuina/receptes/sync/SyncWorker.kt'),
          run('git status --short', 'Ver qué hay a medias', 'Migraciones.kt'),
        ],
        [
          say(
            'Confirmado: `SyncWorker` guarda el catálogo con `OnConflictStrategy.REPLACE`, que borra y reinserta la fila, así que una columna `favorita` volvería a false en cada sincronización. Deshago la columna y creo la tabla aparte, sin clave foránea con CASCADE, porque el REPLACE también borraría los favoritos.',
          ),
          edit(`${db}/Receta.kt`, '    val favorita: Boolean = false,\n', ''),
          write(
            `${db}/Favorito.kt`,
            `package cat.cuina.receptes.db

import androidx.room.Dao
import androidx.room.Entity
import androidx.room.Insert
import androidx.room.PrimaryKey
import androidx.room.Query

/** Sin clave foránea: el REPLACE de la sincronización borraría los favoritos en cascada. */
@Entity(tableName = "favorito")
data class Favorito(@PrimaryKey val recetaId: Long, val creado: Long)

@Dao
interface FavoritoDao {
    @Insert
    suspend fun marcar(favorito: Favorito)

    @Query("DELETE FROM favorito WHERE recetaId = :recetaId")
    suspend fun quitar(recetaId: Long)

    @Query("SELECT COUNT(*) FROM favorito")
    suspend fun cuantos(): Int
}
`,
          ),
          edit(
            `${db}/Migraciones.kt`,
            'ALTER TABLE receta ADD COLUMN favorita INTEGER NOT NULL DEFAULT 0',
            'CREATE TABLE favorito (recetaId INTEGER NOT NULL PRIMARY KEY, creado INTEGER NOT NULL)',
          ),
          edit(`${db}/AppDb.kt`, 'entities = [Receta::class]', 'entities = [Receta::class, Favorito::class]'),
          edit(
            `${db}/AppDb.kt`,
            '    abstract fun recetas(): RecetaDao\n',
            '    abstract fun recetas(): RecetaDao\n    abstract fun favoritos(): FavoritoDao\n',
          ),
          write(
            'app/src/test/java/cat/cuina/receptes/db/MigracionTest.kt',
            `package cat.cuina.receptes.db

import androidx.room.testing.MigrationTestHelper
import androidx.test.platform.app.InstrumentationRegistry
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner

@RunWith(RobolectricTestRunner::class)
class MigracionTest {
    @get:Rule
    val ayuda = MigrationTestHelper(InstrumentationRegistry.getInstrumentation(), AppDb::class.java)

    @Test
    fun de3a4() {
        ayuda.createDatabase("prueba", 3).close()
        ayuda.runMigrationsAndValidate("prueba", 4, true, DE_3_A_4)
    }
}
`,
          ),
          edit(
            'app/build.gradle.kts',
            '    testImplementation("junit:junit:4.13.2")\n    androidTestImplementation("androidx.room:room-testing:2.6.1")\n',
            '    testImplementation("junit:junit:4.13.2")\n    testImplementation("androidx.room:room-testing:2.6.1")\n    testImplementation("org.robolectric:robolectric:4.12.2")\n',
          ),
        ],
        [
          fail(
            'gradle testDebugUnitTest',
            'Tests en la JVM',
            'Cannot find the schema file in the assets folder',
          ),
        ],
        [
          say(
            'Falla porque `MigrationTestHelper` busca los esquemas en los assets, y los tests de JVM no los ven. Hay que añadir `schemas` a los assets y activar `isIncludeAndroidResources`. Para los tests unitarios los assets salen de la variante debug, no del source set test.',
          ),
          edit(
            'app/build.gradle.kts',
            '    compileSdk = 34\n',
            `    compileSdk = 34
    testOptions.unitTests.isIncludeAndroidResources = true
    sourceSets {
        // Los tests de JVM leen los assets de debug, no los de test.
        getByName("debug").assets.srcDir("$projectDir/schemas")
    }
`,
          ),
        ],
        [run('gradle testDebugUnitTest', 'Tests en la JVM', 'BUILD SUCCESSFUL in 41s')],
        [
          say('En verde. Faltan los textos en los dos idiomas.'),
          read('app/src/main/res/values/strings.xml'),
          read('app/src/main/res/values-ca/strings.xml'),
        ],
        [
          edit(
            'app/src/main/res/values/strings.xml',
            '</resources>',
            '    <string name="favorito_marcar">Añadir a favoritos</string>\n</resources>',
          ),
          edit(
            'app/src/main/res/values-ca/strings.xml',
            '</resources>',
            '    <string name="favorito_marcar">Afegir a preferits</string>\n</resources>',
          ),
        ],
        [
          say(`¡Listo! Los favoritos viven ahora en su propia tabla.

## Qué cambia
- Tabla \`favorito\` (\`Favorito.kt\`) y migración \`DE_3_A_4\`; la columna en \`receta\` está deshecha
- **Sin clave foránea**: la sincronización usa \`REPLACE\`, que borra y reinserta cada receta, y un CASCADE se llevaría los favoritos
- \`MigracionTest\` corre con Robolectric en la JVM: 41 segundos, sin emulador
- Textos en castellano y catalán

## Ojo
\`MigrationTestHelper\` en la JVM necesita \`schemas\` en los assets de **debug** e \`isIncludeAndroidResources = true\`; si no, da «Cannot find the schema file in the assets folder».

Si quieres, puedo hacer también la pantalla con el corazón.`),
        ],
        [
          say('Añado el límite en un repositorio, para que la pantalla no tenga que saberlo.'),
          write(
            `${db}/FavoritosRepo.kt`,
            `package cat.cuina.receptes.db

class FavoritosRepo(private val dao: FavoritoDao, private val ahora: () -> Long) {
    /** Devuelve false si ya se ha llegado al límite de la API. */
    suspend fun marcar(recetaId: Long): Boolean {
        if (dao.cuantos() >= MAXIMO) return false
        dao.marcar(Favorito(recetaId, ahora()))
        return true
    }

    companion object {
        const val MAXIMO = 200
    }
}
`,
          ),
          run('gradle testDebugUnitTest && git diff --stat', 'Tests y resumen', 'BUILD SUCCESSFUL'),
        ],
        [
          say(`Hecho: \`FavoritosRepo.marcar\` devuelve false al llegar a 200 favoritos, el máximo que acepta la API. No he tocado \`versionCode\` ni \`versionName\`, eso queda para fastlane.

Pendiente: mostrar un aviso en la pantalla cuando \`marcar\` devuelva false. ¡Un placer, que vaya bien la release!`),
        ],
      ],
    };
  },
  prompts: [
    'quiero poder marcar recetas como favoritas, empieza por la parte de datos con room. los textos siempre en strings.xml y en los dos idiomas, castellano y catalán',
    'para para. los instrumentados tardan 25 min y el emulador de la ci lleva semanas roto, los tests de migración hazlos con robolectric en la jvm. y nada de columna en receta: la sync machaca la tabla entera cada 6 horas, ponlo en tabla aparte',
    'perfecto. la pantalla la hace Núria. ponle un tope de 200 favoritos, la api no traga más. y la versión de la app no la toques nunca, la sube fastlane',
  ],
  expects: {
    essentials: [
      {
        type: ['decision', 'gotcha', 'discovery', 'feature', 'preference', 'change', 'how-it-works'],
        says: [/tabla/, /aparte|propia|favorito/, /sync|sincroniza|REPLACE/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/robolectric/, /25 min|emulador|jvm|instrumentad/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'how-it-works', 'change'],
        says: [/schema/, /assets/, /MigrationTestHelper|isIncludeAndroidResources|debug/],
        files: ['app/build.gradle.kts'],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/strings\.xml|textos/, /catal/], prompt: 1 },
      {
        type: ['decision', 'preference', 'feature', 'gotcha', 'change', 'how-it-works'],
        says: [/200/, /api/],
        prompt: 3,
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/fastlane/, /versi[oó]n/], prompt: 3 },
    ],
    niceToHave: [
      {
        type: ['decision', 'gotcha', 'discovery', 'how-it-works', 'feature'],
        says: [/clave for[aá]nea|CASCADE|cascada/],
        prompt: 2,
      },
      { type: ['discovery', 'change', 'feature', 'decision'], says: [/41 ?s/] },
      { type: ['feature', 'change', 'decision'], says: [/DE_3_A_4|migraci[oó]n/] },
      {
        type: ['feature', 'change', 'decision', 'discovery', 'preference'],
        says: [/N[uú]ria|aviso|pantalla/],
        prompt: 3,
      },
    ],
    summaries: [
      { prompt: 1, optional: true, request: [/favorit/] },
      {
        prompt: 2,
        request: [/robolectric|tabla aparte/],
        learned: [/REPLACE|assets/],
        completed: [/favorito|robolectric/],
        filesModified: ['app/build.gradle.kts'],
      },
      { prompt: 3, request: [/200|tope/], completed: [/200/] },
    ],
    noise: [
      /voy a mirar cómo está montada/,
      /miro primero/,
      /lanzo los tests instrumentados/,
      /entendido, paro ahí/,
      /si quieres, puedo/,
      /un placer/,
      /que vaya bien la release/,
      /faltan los textos en los dos idiomas/,
    ],
    untrue: [
      /lo más sencillo es una columna/,
      /ALTER TABLE receta ADD COLUMN/,
      /(añadid[ao]|cread[ao]|nueva) (la |una )?columna `?favorita/,
    ],
    followUps: [
      {
        asks: '¿por qué no guardamos el favorito como un booleano dentro de receta?',
        says: [/sync|sincroniza|REPLACE/],
      },
      { asks: 'tengo que probar la migración de la 4 a la 5, ¿arranco el emulador?', says: [/robolectric/] },
      { asks: 'un test me dice que no encuentra el json del esquema, ¿qué falta?', says: [/assets/] },
      { asks: '¿cuántas recetas puede guardar un usuario como preferidas?', says: [/200/] },
      { asks: 'antes de publicar, ¿subo yo el versionCode?', says: [/fastlane/] },
    ],
    unrelated: [
      'cambia el color primario del tema oscuro a verde oliva',
      'añade Crashlytics y sube los mapping de R8',
      'haz que el temporizador de cocción siga sonando con la pantalla bloqueada',
    ],
  },
};
