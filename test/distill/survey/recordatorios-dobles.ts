import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const LOCK = 'app/services/reminder_lock.rb';
const JOB = 'app/jobs/reminder_job.rb';
const SCHEDULE = 'config/schedule.yml';
const COMPOSE = 'docker-compose.yml';
const SPEC = 'spec/services/reminder_lock_spec.rb';
const LOG = 'log/sidekiq-2025-10-29.log';

export const recordatoriosDobles: SurveySession = {
  name: 'recordatorios-dobles',
  about:
    'SMS duplicados: ni los reintentos ni el cambio de hora, sino una clave de bloqueo con la hora local de cada contenedor. La sesión muere durante la suite completa.',
  kind: 'bug hunt',
  language: 'es',
  ecosystem: 'ruby',
  files: {
    Gemfile:
      "source 'https://rubygems.org'\n\ngem 'rails', '~> 7.1'\ngem 'sidekiq', '~> 7.2'\ngem 'sidekiq-cron'\n",
    [LOCK]: `class ReminderLock
  TTL = 3600

  def self.key(cita_id, at: Time.now)
    "reminder:#{cita_id}:#{at.strftime('%Y-%m-%dT%H')}"
  end

  def self.acquire(cita_id)
    REDIS.set(key(cita_id), 1, nx: true, ex: TTL)
  end
end
`,
    [JOB]: `class ReminderJob
  include Sidekiq::Job
  sidekiq_options retry: 3

  def perform
    Cita.para_manana.find_each do |cita|
      next unless ReminderLock.acquire(cita.id)
      Sms.enviar(cita.paciente.movil, cita.texto_recordatorio)
    end
  end
end
`,
    [SCHEDULE]: `reminder_job:
  cron: "0 18 * * * Europe/Madrid"
  class: ReminderJob
`,
    [COMPOSE]: `services:
  worker:
    image: clinica/app:2025.10
    command: bundle exec sidekiq -C config/sidekiq.yml
    environment:
      TZ: Europe/Madrid
  worker-sms:
    image: clinica/app:2025.10
    command: bundle exec sidekiq -C config/sidekiq.yml -q sms
`,
    [SPEC]: `require 'rails_helper'

RSpec.describe ReminderLock do
  it 'uses one key per cita and hour' do
    travel_to Time.utc(2025, 10, 29, 17, 0) do
      expect(described_class.key(41)).to start_with('reminder:41:')
    end
  end
end
`,
    [LOG]: `2025-10-29T17:00:02Z pid=1 tid=oa1 class=ReminderJob jid=9f2c01 retry_count=0 host=worker INFO: start
2025-10-29T17:00:03Z pid=1 tid=oa1 class=ReminderJob jid=9f2c01 host=worker sms cita=4117 lock=reminder:4117:2025-10-29T18
2025-10-29T17:00:02Z pid=1 tid=ob7 class=ReminderJob jid=77ab9e retry_count=0 host=worker-sms INFO: start
2025-10-29T17:00:04Z pid=1 tid=ob7 class=ReminderJob jid=77ab9e host=worker-sms sms cita=4117 lock=reminder:4117:2025-10-29T17
`,
    'log/duplicados.csv': `fecha,duplicados
2025-10-13,0
2025-10-14,38
2025-10-15,41
2025-10-25,36
2025-10-26,39
2025-10-29,40
`,
  },
  programs: {
    ruby: `#!/bin/sh
if grep -q 'utc' ${LOCK}; then echo "reminder:4117:2025-10-29T17"
elif [ "$TZ" = "Europe/Madrid" ]; then echo "reminder:4117:2025-10-29T18"
else echo "reminder:4117:2025-10-29T17"; fi
`,
    bundle: `#!/bin/sh
case "$*" in
  *reminder_lock_spec*)
    if ! grep -q 'zona' ${SPEC}; then echo "1 example, 0 failures"; exit 0; fi
    if grep -q 'utc' ${LOCK}; then echo "2 examples, 0 failures"; exit 0; fi
    echo "  1) ReminderLock da la misma clave en cualquier zona"
    echo "     expected: \\"reminder:41:2025-10-29T17\\""
    echo "          got: \\"reminder:41:2025-10-29T18\\""
    echo "2 examples, 1 failure"; exit 1 ;;
  *rspec*) mkdir -p tmp; touch tmp/suite.started; echo "Randomized with seed 4021"; sleep 25 ;;
esac
`,
  },
  prompts: [
    'desde el cambio de hora algunos pacientes reciben el recordatorio de la cita DOS veces (sms). mira por qué porfa, tengo al call center encima. ojo: no lances el job contra staging, ahí los sms salen de verdad y los pagamos. y en los specs nada de Timecop, usamos travel_to',
  ],
  how: { cut: 'killed', when: 'tmp/suite.started' },
  script: (dir) => {
    const { run, fail, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Empiezo por el job y el bloqueo que debería evitar los duplicados.'),
          read(JOB),
          read(LOCK),
          read(SCHEDULE),
        ],
        [
          say(
            'Primera sospecha: los reintentos. Con `retry: 3`, un fallo a mitad del `find_each` repetiría los envíos. Lo compruebo en el log.',
          ),
          run(`grep 4117 -B1 ${LOG}`, 'Buscar una cita duplicada en el log', 'retry_count=0'),
        ],
        [
          say(
            'Descartado: las dos ejecuciones tienen retry_count=0 y jid distinto, así que no son reintentos sino dos jobs independientes, uno en `worker` y otro en `worker-sms`. Y el cambio de hora fue el 26; miro desde cuándo pasa de verdad.',
          ),
          run('cat log/duplicados.csv', 'Duplicados por día', '2025-10-14,38'),
          read(COMPOSE),
        ],
        [
          say(
            'Tampoco es el cambio de hora: los duplicados empiezan el 14 de octubre, doce días antes, justo con el despliegue de la imagen 2025.10, que añadió `worker-sms`. Ese contenedor no tiene TZ y corre en UTC.',
          ),
          run(
            `for tz in Europe/Madrid UTC; do TZ=$tz ruby -r./${LOCK} -e 'puts ReminderLock.key(4117, at: Time.at(1761757200))'; done`,
            'La misma hora, la clave en cada zona',
            'T18\nreminder:4117:2025-10-29T17',
          ),
        ],
        [
          say(
            'Ahí está. La clave del bloqueo lleva la hora local del proceso: `worker` pide T18 y `worker-sms` pide T17 para la misma cita, no chocan nunca en Redis y los dos mandan el SMS. Poner TZ en el contenedor lo taparía, pero el siguiente servicio sin TZ volvería a romperlo; prefiero que la clave vaya siempre en UTC. Primero un spec que falle.',
          ),
          read(SPEC),
        ],
        [
          edit(
            SPEC,
            "      expect(described_class.key(41)).to start_with('reminder:41:')\n    end\n  end\n",
            `      expect(described_class.key(41)).to start_with('reminder:41:')
    end
  end

  it 'da la misma clave en cualquier zona' do
    at = Time.new(2025, 10, 29, 18, 0, 0, '+01:00')
    expect(described_class.key(41, at: at)).to eq('reminder:41:2025-10-29T17')
  end
`,
          ),
        ],
        [fail(`bundle exec rspec ${SPEC}`, 'El spec nuevo, en rojo', '2 examples, 1 failure')],
        [edit(LOCK, "at.strftime('%Y-%m-%dT%H')", "at.utc.strftime('%Y-%m-%dT%H')")],
        [run(`bundle exec rspec ${SPEC}`, 'El spec nuevo', '2 examples, 0 failures')],
        [
          say(
            'Ojo, `Time#utc` modifica el receptor: si alguien pasa `at:` y lo sigue usando, se lo cambiamos a UTC sin avisar. Mejor `getutc`, que devuelve una copia.',
          ),
          edit(LOCK, 'at.utc.strftime', 'at.getutc.strftime'),
        ],
        [run(`bundle exec rspec ${SPEC}`, 'El spec otra vez', '2 examples, 0 failures')],
        [
          say(
            'Queda un cabo suelto: sidekiq-cron encola el job en los dos procesos, porque ambos cargan `config/schedule.yml`; el bloqueo lo tapa, pero el job sigue corriendo dos veces. Eso lo dejo para hablarlo contigo. Paso la suite completa antes del commit.',
          ),
          cut('bundle exec rspec', 'La suite completa'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: [/clave/, /hora local/, /worker-sms/],
        prompt: 1,
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/14 de octubre/, /cambio de hora/],
        prompt: 1,
      },
      {
        type: ['preference', 'gotcha'],
        says: [/staging/, /sms/, /pagamos|de verdad/],
        prompt: 1,
      },
      { type: 'preference', says: [/Timecop/, /travel_to/], prompt: 1 },
      {
        type: ['gotcha', 'discovery'],
        says: [/sidekiq-cron/, /dos procesos|dos veces/, /schedule\.yml/],
        prompt: 1,
      },
      {
        type: ['decision', 'bugfix'],
        says: [/TZ/, /UTC/, /siguiente servicio|taparía/],
        prompt: 1,
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/retry_count=0/, /reintentos/],
        files: [LOG],
        prompt: 1,
      },
      {
        type: ['gotcha', 'decision', 'bugfix'],
        says: [/getutc/, /copia|modifica/],
        files: [LOCK],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/worker-sms/, /UTC/, /no tiene TZ|2025\.10/],
        prompt: 1,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/recordatorio/],
        learned: [/clave/],
        filesModified: [LOCK, SPEC],
      },
    ],
    noise: [
      'Empiezo por el job',
      'Lo compruebo en el log',
      'Ahí está',
      'Primero un spec que falle',
      'repetiría los envíos',
      'tengo al call center encima',
      'Paso la suite completa',
    ],
    untrue: [
      /suite completa (pasa|en verde|ha pasado)/,
      /(la causa (es|son|era|fue|eran)|debido a) (los reintentos|el cambio de hora)/,
      /(se añadió|añadida|puesto) TZ (al|en el) contenedor/,
    ],
    followUps: [
      {
        asks: 'vuelven a quejarse de mensajes repetidos, ¿qué fue lo de octubre?',
        says: [/clave|hora local/],
      },
      {
        asks: 'quiero probar los avisos de punta a punta en staging, ¿algún problema?',
        says: [/pagamos|de verdad/],
      },
      {
        asks: '¿con qué congelo el reloj en las pruebas de este repo?',
        says: [/travel_to/],
      },
      {
        asks: 'veo ReminderJob ejecutarse en ambos procesos a las 18h, ¿es normal?',
        says: [/sidekiq-cron/],
      },
      {
        asks: '¿por qué no ponemos simplemente la zona horaria en el compose y listo?',
        says: [/siguiente servicio|taparía/],
      },
    ],
    unrelated: [
      'añade paginación al listado de facturas del panel de administración',
      'actualiza rubocop y arregla los avisos nuevos de estilo',
      'necesito exportar los pacientes de una aseguradora a excel',
    ],
  },
};
