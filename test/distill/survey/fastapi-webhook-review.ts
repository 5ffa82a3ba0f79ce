import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const WEBHOOKS = 'app/webhooks.py';
const MAIN = 'app/main.py';
const MODELS = 'app/models.py';
const NOTIFY = 'app/notify.py';
const DB = 'app/db.py';
const SECURITY = 'Revisa la seguridad del módulo de webhooks';
const STATE = 'Revisa la concurrencia y el uso de la base de datos';

export const fastapiWebhookReview: SurveySession = {
  name: 'revisión de los webhooks',
  about:
    'Two subagents review a payment webhook; one finding does not hold, one piece of advice is taken back.',
  kind: 'review',
  language: 'es',
  ecosystem: 'fastapi',
  files: {
    'pyproject.toml': '[project]\nname = "cobros-api"\nversion = "3.2.0"\n',
    [MAIN]: `from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from app.settings import settings
from app.webhooks import router

app = FastAPI()
if settings.debug:
    app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)
app.include_router(router)
`,
    'app/settings.py': `from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    debug: bool = False
    pagora_secret: str


settings = Settings()
`,
    [WEBHOOKS]: `import hashlib
import hmac
import json

from fastapi import APIRouter, BackgroundTasks, Depends, HTTPException, Request

from app.db import get_session
from app.models import Event
from app.notify import notify_merchant
from app.settings import settings

router = APIRouter()


@router.post("/webhooks/pagora")
async def pagora(request: Request, tasks: BackgroundTasks, db=Depends(get_session)):
    payload = await request.json()
    signed = json.dumps(payload).encode()
    expected = hmac.new(settings.pagora_secret.encode(), signed, hashlib.sha256).hexdigest()
    if request.headers.get("X-Pagora-Signature") != expected:
        raise HTTPException(401)
    if db.query(Event).filter_by(event_id=payload["id"]).first():
        return {"ok": True}
    event = Event(event_id=payload["id"], amount=payload["amount"] / 100, kind=payload["type"])
    db.add(event)
    db.commit()
    tasks.add_task(settle, event, db)
    await notify_merchant(event)
    return {"ok": True}


def settle(event, db):
    event.order.paid += event.amount
    db.commit()
`,
    [MODELS]: `from sqlalchemy import Column, Float, Integer, String


class Event(Base):
    __tablename__ = "events"
    id = Column(Integer, primary_key=True)
    event_id = Column(String, index=True)
    kind = Column(String)
    amount = Column(Float)
`,
    [NOTIFY]: `import requests


async def notify_merchant(event):
    requests.post(event.order.merchant.callback_url, json={"event": event.event_id})
`,
    [DB]: `from app.engine import SessionLocal


def get_session():
    db = SessionLocal()
    try:
        yield db
    finally:
        db.close()
`,
    'docs/pr-218.md': `# Webhooks de Pagora

- probado en staging con el simulador; ahora mismo hay 14 event_id repetidos en la tabla events, los borro algún día
- falta la documentación
`,
    'tests/test_webhooks.py': `def test_firma_valida(client, firmar):
    body = {"id": "ev_1", "type": "paid", "amount": 1999}
    assert client.post("/webhooks/pagora", json=body, headers=firmar(body)).status_code == 200
`,
  },
  programs: {
    uv: `#!/bin/sh
case "$*" in
  *pytest*) echo "1 passed in 0.41s" ;;
  *json.dumps*) echo "iguales: False" ;;
  *0.1*) echo "118.60000000000001" ;;
esac
`,
  },
  prompts: [
    'Marta fusionó ayer los webhooks de Pagora y el viernes salen a producción. Haz una revisión a fondo con dos subagentes, uno para seguridad y otro para concurrencia y base de datos. Solo hallazgos, no cambies ni una línea: los arreglos los hace ella.',
    'Muy buen trabajo. Un reparo: la ventana de 5 minutos no sirve. Pagora reintenta durante 72 horas y manda siempre la firma y el timestamp originales, con eso rechazaríamos reintentos legítimos. ¿Qué harías entonces contra la repetición, y qué bloquea el viernes? Y para la próxima revisión: ordena siempre por dinero en riesgo, no por severidad técnica.',
  ],
  script: (dir) => {
    const { run, read, delegate } = callsIn(dir);
    return {
      main: [
        [
          say('Lanzo las dos revisiones en paralelo y mientras tanto leo el módulo por mi cuenta.'),
          delegate(
            'Revisión de seguridad',
            `${SECURITY} (${WEBHOOKS}, ${MAIN}). Informa solo de lo que puedas señalar con fichero y línea.`,
          ),
          delegate(
            'Revisión de concurrencia',
            `${STATE} en ${WEBHOOKS}, ${MODELS}, ${DB} y ${NOTIFY}. Informa solo de lo que puedas señalar con fichero y línea.`,
          ),
        ],
        [
          say(
            'El subagente de seguridad da por crítico el CORS con `*` y credenciales. Antes de pasarlo quiero comprobar si eso llega a producción.',
          ),
          read(MAIN),
          run('grep -rn "debug" app', 'Cuándo se activa debug', 'debug: bool = False'),
          read(WEBHOOKS),
        ],
        [
          say(
            'Ese hallazgo no se sostiene: el middleware solo se monta con `settings.debug`, que es `False` por defecto y no aparece en ningún otro sitio. Lo retiro. Ahora compruebo la firma, que me parece lo más grave.',
          ),
          run(
            `uv run python -c 'import json; raw = b"{\\"id\\":\\"ev_1\\",\\"name\\":\\"Nu\\\\u00f1ez\\"}"; print("iguales:", json.dumps(json.loads(raw)).encode() == raw)'`,
            'Comparar el cuerpo crudo con el serializado de nuevo',
            'iguales: False',
          ),
          run('uv run pytest -q', 'Qué cubren las pruebas', '1 passed'),
        ],
        [
          say(`# Revisión de \`${WEBHOOKS}\`

No he cambiado nada. Cinco hallazgos confirmados, uno descartado.

| # | Hallazgo | Dónde | Severidad |
|---|---|---|---|
| 1 | La firma se calcula sobre \`json.dumps(payload)\` y no sobre los bytes recibidos (\`await request.body()\`). Pagora envía JSON compacto, sin espacios: **todas** las firmas reales darán 401 | \`${WEBHOOKS}\` | crítica |
| 2 | Idempotencia con SELECT y luego INSERT, y \`event_id\` solo tiene índice, no restricción única. Dos entregas simultáneas cobran dos veces | \`${WEBHOOKS}\`, \`${MODELS}\` | alta |
| 3 | \`settle\` corre en BackgroundTasks con la sesión de la petición, que \`get_session\` ya ha cerrado: \`DetachedInstanceError\` y el pedido se queda sin marcar como pagado | \`${WEBHOOKS}\`, \`${DB}\` | alta |
| 4 | \`requests.post\` síncrono y sin timeout dentro de \`async def\`: un comercio lento detiene el bucle de eventos entero | \`${NOTIFY}\` | alta |
| 5 | Importes en \`Float\`; al sumar aparecen restos como 118.60000000000001 | \`${MODELS}\` | media |

**Por qué las pruebas no lo ven:** la única prueba firma con el mismo \`json.dumps\`, así que el fallo 1 se compensa a sí mismo. Hace falta un cuerpo grabado de Pagora tal como llega.

Además, la comparación de la firma usa \`!=\` en lugar de \`hmac.compare_digest\`.

**Contra la repetición** recomiendo rechazar lo que tenga un timestamp de más de 5 minutos.

**Descartado:** el CORS abierto. Solo existe con \`debug\`.`),
        ],
        [
          say('Voy a mirar si una restricción única entraría sin más en los datos que ya hay.'),
          run('cat docs/pr-218.md', 'Notas del PR', '14 event_id repetidos'),
        ],
        [
          say(`Tienes razón, retiro la ventana: con reintentos de 72 horas y el timestamp original cortaría entregas buenas. La protección contra la repetición tiene que ser la propia idempotencia: una restricción única sobre \`events.event_id\`, INSERT con \`ON CONFLICT DO NOTHING\` y seguir solo si se insertó la fila. Con eso una repetición, legítima o no, no tiene efecto, y los \`event_id\` hay que conservarlos al menos 72 horas; yo no los borraría nunca.

Ordenado por dinero en riesgo:

1. **Cobro doble** (hallazgo 2). Bloquea.
2. **Pedido pagado que no se marca** (hallazgo 3): cobramos y no servimos. Bloquea. \`settle\` debe abrir su propia sesión y recibir el id, no el objeto.
3. **Firma sobre el JSON serializado** (hallazgo 1): no entra ningún evento, pero Pagora reintenta 72 horas, así que no se pierde dinero si se arregla rápido. Bloquea igualmente, porque sin esto no funciona nada.
4. **\`Float\`** (hallazgo 5): céntimos. No bloquea, pero migrar después de salir es más caro.
5. **\`requests\` síncrono** (hallazgo 4): afecta a la disponibilidad. No bloquea si antes del viernes se le pone un timeout de 3 segundos.

Un aviso sobre el punto 1: la tabla \`events\` de staging ya tiene 14 \`event_id\` repetidos según la nota de Marta en \`docs/pr-218.md\`, de modo que la migración con la restricción única fallará hasta que se limpien.`),
        ],
      ],
      subagents: {
        [SECURITY]: [
          [read(WEBHOOKS), read(MAIN)],
          [
            say(`1. ${MAIN}: CORS con \`allow_origins=["*"]\` y \`allow_credentials=True\`: cualquier web puede llamar a la API en producción con las credenciales del usuario. Crítico.
2. ${WEBHOOKS}: la firma se calcula sobre \`json.dumps(payload)\`, no sobre el cuerpo recibido.
3. ${WEBHOOKS}: comparación con \`!=\`, sensible al tiempo; usar \`hmac.compare_digest\`.
4. No hay límite de antigüedad para el timestamp.`),
          ],
        ],
        [STATE]: [
          [read(WEBHOOKS), read(MODELS), read(DB), read(NOTIFY)],
          [
            run(
              `uv run python -c 'print(sum([39.5, 39.5, 39.6]) + 0.1 - 0.1)'`,
              'Sumar importes en coma flotante',
              '118.60000000000001',
            ),
          ],
          [
            say(`Cuatro problemas:
- ${WEBHOOKS}: SELECT y después INSERT sin restricción única en \`event_id\` (${MODELS}); dos workers pueden procesar el mismo evento.
- ${WEBHOOKS}: \`settle\` usa la sesión de la petición desde una tarea de fondo, cuando \`get_session\` en ${DB} ya la ha cerrado.
- ${NOTIFY}: \`requests.post\` bloqueante dentro de una corrutina, sin timeout.
- ${MODELS}: \`amount\` es Float.`),
          ],
        ],
      },
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/firma/, 'json.dumps', /bytes recibidos|request\.body|cuerpo recibido|401/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/event_id/, /restricción única/, /SELECT|dos veces|mismo evento|doble/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: ['settle', /sesión/, /cerrado|DetachedInstanceError|su propia sesión/],
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/requests/, /timeout|bucle de eventos|bloqueante/],
      },
      {
        type: ['discovery', 'gotcha', 'decision', 'preference'],
        says: [/72 horas/, /reintent/, /timestamp|ventana/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision'],
        says: [/dinero en riesgo/, /severidad técnica|ordena/],
        prompt: 2,
      },
      {
        type: ['decision', 'discovery', 'how-it-works'],
        says: ['ON CONFLICT DO NOTHING', /repetición|idempotencia/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/14/, /staging/, /migración|repetidos/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/prueba/, /firma con el mismo|se compensa|cuerpo grabado/] },
      { type: ['discovery', 'gotcha'], says: ['compare_digest'] },
      { type: ['discovery', 'gotcha'], says: [/Float/, /118\.6|céntimos|importes|amount/] },
      { type: ['discovery', 'how-it-works', 'decision'], says: ['CORS', /debug/, /solo|descart|retiro/] },
      { type: ['preference', 'decision'], says: [/arreglos/, /no cambies|solo hallazgos/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/revisión a fondo/, 'Pagora'],
        learned: [/firma|json\.dumps|event_id|settle/],
        filesRead: [WEBHOOKS, MAIN],
      },
      {
        prompt: 2,
        request: [/72 horas|ventana de 5 minutos/],
        learned: [/ON CONFLICT|idempotencia|restricción única/],
      },
    ],
    noise: [
      'Lanzo las dos revisiones',
      'Muy buen trabajo',
      'Informa solo de lo que puedas',
      '1 passed in 0.41s',
      'Antes de pasarlo quiero comprobar',
    ],
    untrue: [
      /recomiendo rechazar lo que tenga un timestamp/,
      /cualquier web puede llamar a la API en producción/,
      /da por crítico el CORS/,
    ],
    followUps: [
      {
        asks: '¿por qué el endpoint de Pagora contesta 401 a eventos que sí vienen del proveedor?',
        says: [/json\.dumps|bytes recibidos|request\.body/],
      },
      {
        asks: 'un cliente pagó, nos llegó el dinero y su pedido sigue como pendiente. ¿alguna pista?',
        says: ['settle', /sesión/],
      },
      {
        asks: 'quiero descartar notificaciones viejas comprobando la fecha que traen, ¿lo veis bien?',
        says: [/72 horas/],
      },
      { asks: 'Prepara la migración que hace único event_id', says: [/14/, /repetidos|staging/] },
      { asks: 'revisa el módulo de reembolsos y dame los hallazgos', says: [/dinero en riesgo/] },
      {
        asks: 'la API entera se queda congelada unos segundos cuando el servidor de un comercio va lento',
        says: [/requests/, /timeout|bucle de eventos|bloqueante/],
      },
      { asks: '¿está abierto el CORS en producción? me lo pregunta auditoría', says: [/debug/] },
    ],
    unrelated: [
      'añade un endpoint GET /health que devuelva la versión',
      '¿cómo configuro ruff para que ordene los imports?',
      'traduce el README al inglés',
    ],
  },
};
