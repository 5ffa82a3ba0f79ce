import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BASE = 'src/reservas';
const CONTROLLER = `${BASE}/reservas.controller.ts`;
const SERVICE = `${BASE}/reservas.service.ts`;
const ENTITY = `${BASE}/reserva.entity.ts`;
const POLICY = `${BASE}/politica-cancelacion.ts`;
const POLICY_SPEC = `${BASE}/politica-cancelacion.spec.ts`;
const REFUND = 'src/pagos/devolucion.entity.ts';
const REFUND_TASK = 'src/pagos/devoluciones.tarea.ts';
const TX = 'src/comun/transaccion.ts';
const MAIL = 'src/correo/correo.service.ts';

const NPM = `#!/bin/sh
# Hace de npm: mira el texto del código.
case "$*" in
  *lint*) echo "eslint: 0 problems"; exit 0 ;;
  test*) ;;
  *) echo "npm error Missing script"; exit 1 ;;
esac
n=88
[ -f ${POLICY_SPEC} ] && n=94
grep -q cancelarPorClub ${SERVICE} && n=97
echo "Tests:       $n passed, $n total"
`;

export const nestCancelaciones: SurveySession = {
  name: 'nest-cancelaciones',
  about: 'Cancelación de reservas de pádel con devolución; la persona deja caer dos reglas.',
  kind: 'feature',
  language: 'es',
  ecosystem: 'nestjs',
  files: {
    'package.json':
      '{ "name": "pistas-api", "version": "5.2.0", "dependencies": { "@nestjs/core": "10.3.8", "typeorm": "0.3.20", "luxon": "3.4.4", "stripe": "14.25.0" } }\n',
    [CONTROLLER]: `import { Controller, Post, Get, Param, UseGuards } from '@nestjs/common';

@Controller('reservas')
@UseGuards(JwtGuard)
export class ReservasController {
  constructor(private readonly reservas: ReservasService) {}

  @Get(':id')
  una(@Param('id') id: string) {
    return this.reservas.una(id);
  }
}
`,
    [SERVICE]: `@Injectable()
export class ReservasService {
  constructor(
    private readonly tx: Transaccion,
    private readonly correo: CorreoService,
  ) {}

  una(id: string) {
    return this.tx.manager.findOneByOrFail(Reserva, { id });
  }
}
`,
    [ENTITY]: `@Entity('reservas')
export class Reserva {
  @PrimaryGeneratedColumn('uuid') id: string;
  @ManyToOne(() => Club, { eager: true }) club: Club;
  @Column() jugadorId: string;
  /** Hora de pared del club, sin zona: la zona está en club.zona. */
  @Column('timestamp without time zone') inicio: string;
  @Column('int') importeCentimos: number;
  @Column() pagoStripe: string;
  @Column({ default: 'CONFIRMADA' }) estado: 'CONFIRMADA' | 'CANCELADA';
}
`,
    [TX]: `/** Ejecuta el trabajo en una transacción; lo que se apunte con despues() corre tras el COMMIT. */
@Injectable()
export class Transaccion {
  async hacer<T>(trabajo: (m: EntityManager, despues: (f: () => Promise<void>) => void) => Promise<T>): Promise<T> {
    const pendientes: (() => Promise<void>)[] = [];
    const fin = await this.fuente.transaction((m) => trabajo(m, (f) => pendientes.push(f)));
    for (const f of pendientes) await f().catch((e) => this.log.error(e));
    return fin;
  }
}
`,
    [MAIL]: `@Injectable()
export class CorreoService {
  async enviar(jugadorId: string, plantilla: string, datos: object) {
    await this.ses.send(await this.componer(jugadorId, plantilla, datos));
  }
}
`,
    'src/clubes/semilla.sql':
      "insert into clubes (nombre, zona) values ('Vallecas', 'Europe/Madrid'), ('Telde', 'Atlantic/Canary');\n",
  },
  programs: { npm: NPM },
  prompts: [
    'hay que añadir POST /reservas/:id/cancelar con devolución del dinero: hasta 24 h antes se devuelve todo, hasta 6 h antes la mitad y después nada. el dinero aquí va siempre en céntimos enteros eh, ni floats ni numeric',
    'muy bien. ahora que el club también pueda cancelar, cuando llueve por ejemplo: ahí 100 % siempre y correo al jugador. ojo que los correos no se mandan nunca dentro de la transacción, en enero salieron 300 de reservas que luego hicieron rollback',
    'y si stripe está caído justo cuando alguien cancela? cuéntame qué pasa y si está bien haz el commit',
  ],
  script: (dir) => {
    const { run, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Empiezo por el módulo de reservas y por cómo se abren las transacciones.'),
          read(CONTROLLER),
          read(SERVICE),
          read(ENTITY),
          read(TX),
        ],
        [
          say(
            'Un detalle importante antes de contar horas: `inicio` es un `timestamp without time zone` con la hora de pared del club, y la zona va aparte en `club.zona`. Miro qué zonas hay.',
          ),
          run('cat src/clubes/semilla.sql', 'Zonas horarias de los clubes', 'Atlantic/Canary'),
          run('npm test', 'Estado de partida', '88 passed'),
        ],
        [
          say(
            'Hay clubes en Canarias. Si hiciera `new Date(inicio)` se leería con la zona del servidor y en Telde el corte de 24 h caería una hora antes de lo debido. Lo interpreto con luxon en la zona del club.\n\nEl cálculo va en una función pura, sin Nest ni base de datos, para probar los bordes.',
          ),
          write(
            POLICY,
            `import { DateTime } from 'luxon';

/** Céntimos que se devuelven al jugador que cancela. */
export function devolucion(inicio: string, zona: string, ahora: DateTime, importeCentimos: number): number {
  const horas = DateTime.fromISO(inicio, { zone: zona }).diff(ahora, 'hours').hours;
  if (horas >= 24) return importeCentimos;
  if (horas >= 6) return Math.ceil(importeCentimos / 2);
  return 0;
}
`,
          ),
          write(
            POLICY_SPEC,
            `describe('devolucion', () => {
  it.each([
    ['24 h justas', 24, 1501, 1501],
    ['23 h 59 min', 23.98, 1501, 751],
    ['6 h justas', 6, 1501, 751],
    ['5 h 59 min', 5.98, 1501, 0],
  ])('%s', (_, horas, importe, esperado) => {
    expect(devolucion(dentroDe(horas, 'Europe/Madrid'), 'Europe/Madrid', AHORA, importe)).toBe(esperado);
  });

  it('cuenta con la hora de Canarias', () => {
    expect(devolucion(dentroDe(24, 'Atlantic/Canary'), 'Atlantic/Canary', AHORA, 1000)).toBe(1000);
  });
});
`,
          ),
          write(
            REFUND,
            `/** Una devolución por hacer o hecha. La tarea la lleva a Stripe, nunca la petición. */
@Entity('devoluciones')
export class Devolucion {
  @PrimaryGeneratedColumn('uuid') id: string;
  @Column({ unique: true }) reservaId: string;
  @Column() pagoStripe: string;
  @Column('int') centimos: number;
  @Column({ default: 'PENDIENTE' }) estado: 'PENDIENTE' | 'HECHA' | 'REVISAR';
  @CreateDateColumn({ type: 'timestamptz' }) creada: Date;
}
`,
          ),
        ],
        [
          edit(
            SERVICE,
            '    return this.tx.manager.findOneByOrFail(Reserva, { id });\n  }\n',
            `    return this.tx.manager.findOneByOrFail(Reserva, { id });
  }

  cancelar(id: string, jugadorId: string) {
    return this.tx.hacer(async (m) => {
      const reserva = await m.findOneByOrFail(Reserva, { id, jugadorId });
      const { affected } = await m.update(Reserva, { id, estado: 'CONFIRMADA' }, { estado: 'CANCELADA' });
      if (!affected) throw new ConflictException('La reserva ya está cancelada');
      const centimos = devolucion(reserva.inicio, reserva.club.zona, DateTime.utc(), reserva.importeCentimos);
      if (centimos > 0) await m.insert(Devolucion, { reservaId: id, pagoStripe: reserva.pagoStripe, centimos });
      return { centimos };
    });
  }
`,
          ),
          edit(
            CONTROLLER,
            '    return this.reservas.una(id);\n  }\n',
            "    return this.reservas.una(id);\n  }\n\n  @Post(':id/cancelar')\n  cancelar(@Param('id') id: string, @Jugador() jugador: string) {\n    return this.reservas.cancelar(id, jugador);\n  }\n",
          ),
          write(
            REFUND_TASK,
            `@Injectable()
export class DevolucionesTarea {
  @Cron('*/5 * * * *')
  async llevarAStripe() {
    for (const d of await this.repo.findBy({ estado: 'PENDIENTE' })) {
      if (hace(d.creada, { hours: 20 })) {
        await this.repo.update(d.id, { estado: 'REVISAR' });
        continue;
      }
      await this.stripe.refunds
        .create({ payment_intent: d.pagoStripe, amount: d.centimos }, { idempotencyKey: 'devolucion-' + d.id })
        .then(() => this.repo.update(d.id, { estado: 'HECHA' }))
        .catch((e) => this.log.warn(e));
    }
  }
}
`,
          ),
          run('npm test', 'Tests', '94 passed'),
          run('npm run lint', 'Lint', '0 problems'),
        ],
        [
          say(`Listo: 94 tests en verde, lint limpio.

| Antelación | Se devuelve |
| --- | --- |
| 24 h o más | todo |
| entre 6 y 24 h | la mitad |
| menos de 6 h | nada |

- Los bordes son inclusivos: a las 24 h justas se devuelve todo.
- Todo son enteros. Si el importe es impar, el céntimo suelto es para el jugador (\`Math.ceil\`: de 1501 se devuelven 751).
- Cancelar dos veces da 409. Lo decide el \`UPDATE … WHERE estado = 'CONFIRMADA'\`, no una lectura previa, así que dos pulsaciones a la vez tampoco devuelven doble.
- La petición no llama a Stripe: apunta una fila en \`devoluciones\` y una tarea la procesa cada 5 minutos.`),
        ],
        [
          read(MAIL),
          read(SERVICE),
          run(
            'grep -rn "@Roles\\|RolesGuard" src || echo "sin roles todavía"',
            '¿Hay guardas por rol?',
            'sin roles todavía',
          ),
        ],
        [
          say(
            'El gancho `despues()` de `Transaccion` es justo lo que pides: corre tras el COMMIT y, si falla, lo registra sin tumbar la petición. El correo va por ahí.',
          ),
          edit(
            SERVICE,
            '      return { centimos };\n    });\n  }\n',
            `      return { centimos };
    });
  }

  /** Por lluvia o avería: siempre se devuelve todo. */
  cancelarPorClub(id: string, clubId: string, motivo: string) {
    return this.tx.hacer(async (m, despues) => {
      const reserva = await m.findOneByOrFail(Reserva, { id, club: { id: clubId } });
      const { affected } = await m.update(Reserva, { id, estado: 'CONFIRMADA' }, { estado: 'CANCELADA' });
      if (!affected) throw new ConflictException('La reserva ya está cancelada');
      const centimos = reserva.importeCentimos;
      await m.insert(Devolucion, { reservaId: id, pagoStripe: reserva.pagoStripe, centimos });
      despues(() => this.correo.enviar(reserva.jugadorId, 'cancelada-por-club', { motivo, centimos }));
      return { centimos };
    });
  }
`,
          ),
          edit(
            CONTROLLER,
            "  @Post(':id/cancelar')\n",
            "  @Post(':id/cancelar-club')\n  @UseGuards(ClubGuard)\n  cancelarPorClub(@Param('id') id: string, @ClubActual() club: string, @Body() { motivo }: MotivoDto) {\n    return this.reservas.cancelarPorClub(id, club, motivo);\n  }\n\n  @Post(':id/cancelar')\n",
          ),
          write(
            'src/clubes/club.guard.ts',
            `/** Deja pasar a quien lleva clubId en el token. */
@Injectable()
export class ClubGuard implements CanActivate {
  canActivate(contexto: ExecutionContext) {
    return Boolean(contexto.switchToHttp().getRequest().user?.clubId);
  }
}
`,
          ),
          run('npm test && npm run lint', 'Tests y lint', '97 passed'),
        ],
        [
          say(
            'Hecho, 97 tests. La ruta es `POST /reservas/:id/cancelar-club` con un `motivo` obligatorio, y un club solo toca sus propias reservas: el `clubId` sale del token, no de la URL. El correo se registra con `despues()`, con la plantilla `cancelada-por-club`. Esa plantilla aún no existe en SES; hasta que alguien la cree, el envío fallará y solo quedará un error en el log. Como `despues()` no reintenta, un correo que falla se pierde.',
          ),
        ],
        [read(REFUND_TASK), run('git status --short', 'Cambios sin confirmar', 'politica-cancelacion')],
        [
          run(
            "git add -A && git commit -qm 'Cancelar reservas con devolución, por el jugador o por el club' && git log --oneline | head -1",
            'Commit',
            'Cancelar reservas',
          ),
        ],
        [
          say(`Commit hecho. Lo de Stripe caído, paso a paso:

La cancelación no depende de Stripe. La reserva pasa a CANCELADA, la pista queda libre al momento y la devolución se queda en PENDIENTE. La tarea lo vuelve a intentar cada 5 minutos con la clave de idempotencia \`devolucion-<id>\`, de modo que un timeout con el cobro ya devuelto no devuelve dos veces.

El límite está en 20 horas: Stripe puede olvidar las claves de idempotencia pasadas 24 h, y un reintento posterior sí podría devolver otra vez. Por eso a las 20 h la fila pasa a REVISAR y ya nadie la toca automáticamente; hay que mirarla a mano en el panel. Ahora mismo nada avisa de que haya filas en REVISAR. Te dejo eso como pendiente, ¿quieres que monte la alerta?`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision'],
        says: [/dinero|importes?|céntimos/, /céntimos enteros|enteros/, /float|numeric|decimal/],
        prompt: 1,
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/correo/, /transacción/, /rollback|300|enero|COMMIT/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'decision'],
        says: [/inicio/, /zona/, /Canarias|Telde|luxon|hora de pared/],
        prompt: 1,
      },
      {
        type: ['feature', 'decision', 'how-it-works', 'preference', 'change'],
        says: [/24 h/, /6 h|entre 6/, /mitad|50/],
        prompt: 1,
      },
      {
        type: ['feature', 'decision', 'change', 'preference', 'how-it-works'],
        says: [/club/, /100 %|todo|íntegr|total/, /cancel/],
        prompt: 2,
      },
      {
        type: ['decision', 'gotcha', 'how-it-works', 'feature'],
        says: [/20 h/, /idempotencia/, /REVISAR|24 h/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['how-it-works', 'decision', 'feature'], says: [/devoluciones/, /5 minutos/, /Stripe/] },
      {
        type: ['decision', 'gotcha', 'how-it-works', 'feature', 'bugfix'],
        says: [/409|dos veces|doble/, /UPDATE|CONFIRMADA/],
      },
      {
        type: ['decision', 'how-it-works', 'feature'],
        says: [/impar|céntimo suelto|Math\.ceil/, /jugador|751/],
      },
      { type: ['gotcha', 'discovery'], says: [/cancelada-por-club/, /SES|no existe/] },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/despues\(\)/, /no reintenta|se pierde|tras el COMMIT/],
      },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/REVISAR/, /avisa|alerta|a mano/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/cancelar/, /devolución/],
        learned: [/zona|Canarias|luxon/],
        completed: [/cancelar|devolucion/],
        filesModified: [SERVICE, CONTROLLER],
      },
      {
        prompt: 2,
        request: [/club/, /correo/],
        completed: [/cancelar-club|cancelarPorClub|despues/],
        nextSteps: [/plantilla|SES/],
        filesModified: [SERVICE, CONTROLLER],
      },
      { prompt: 3, request: [/stripe/], completed: [/commit/], nextSteps: [/REVISAR|alerta/] },
    ],
    noise: [
      'Empiezo por el módulo de reservas',
      'quieres que monte la alerta',
      'muy bien. ahora',
      'eslint: 0 problems',
      'Miro qué zonas hay',
      'lint limpio',
    ],
    untrue: [
      /la petición llama a Stripe/,
      /el céntimo suelto es para el club/,
      /reintenta (siempre|sin límite|indefinidamente)/,
      /el correo se (envía|manda) dentro de la transacción/,
      /la plantilla (ya existe|está creada)/,
    ],
    followUps: [
      {
        asks: 'añade el precio de las raquetas de alquiler a la tabla, 3,50 la hora',
        says: [/céntimos enteros/],
      },
      {
        asks: 'cuando un jugador se apunta a un torneo quiero que le llegue un email de bienvenida, ponlo en inscribir()',
        says: [/transacción/, /rollback|despues\(\)|COMMIT/],
      },
      {
        asks: 'un cliente dice que canceló hace tres días y no le ha llegado la devolución, dónde miro?',
        says: [/REVISAR/, /20 h/],
      },
      {
        asks: 'quiero mostrar en la app cuánto falta para que empiece el partido, con inicio me vale?',
        says: [/zona/, /hora de pared|without time zone|Canarias/],
      },
      {
        asks: 'nos piden que si se cancela con menos de 12 horas ya no se devuelva nada, qué hay ahora exactamente?',
        says: [/mitad/, /6 h|entre 6/],
      },
    ],
    unrelated: [
      'cambia el logo de la página de documentación de swagger',
      '¿qué diferencia hay entre interface y type en typescript?',
      'añade paginación al listado de clubes',
    ],
  },
};
