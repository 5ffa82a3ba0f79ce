import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UPDATER = `import { app } from 'electron';
import { autoUpdater } from 'electron-updater';
import { readChannel } from './channel';

export function startUpdater() {
  autoUpdater.channel = readChannel();
  autoUpdater.allowDowngrade = false;
  autoUpdater.autoInstallOnAppQuit = true;
  autoUpdater.disableDifferentialDownload = process.platform === 'darwin';
  setInterval(() => autoUpdater.checkForUpdates(), 6 * 60 * 60 * 1000);
}
`;

const CHANNEL = `import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';

/** The license decides; the file is for support. */
export function readChannel(): string {
  const forced = join(app.getPath('userData'), 'channel.txt');
  if (existsSync(forced)) return readFileSync(forced, 'utf8').trim();
  return license().beta ? 'beta' : 'latest';
}
`;

const ROLLOUT = `# release.yml: how a release goes out
- run: node scripts/stage.mjs --percent 10
# after 48 hours without a rise in crashes:
- run: node scripts/stage.mjs --percent 100
`;

const LIB = `  async isStagingMatch(updateInfo) {
    const percent = updateInfo.stagingPercentage / 100;
    const stagingUserId = await this.stagingUserIdPromise.value; // file .updaterId
    const val = UUID.parse(stagingUserId).readUInt32BE(12) / 0xffffffff;
    return val < percent;
  }
`;

export const electronGuncellemeTr: SurveySession = {
  name: 'electron-guncelleme-tr',
  about: 'A newcomer asks how updates reach users; one answer is corrected from the code of the library.',
  kind: 'question',
  language: 'tr',
  ecosystem: 'electron',
  files: {
    'src/main/updater.ts': UPDATER,
    'src/main/channel.ts': CHANNEL,
    '.github/workflows/release.yml': ROLLOUT,
    'vendor/electron-updater/AppUpdater.js': LIB,
    'build/notarize.md':
      'macOS: zip and dmg are notarized; the blockmap is made before stapling and does not match.\n',
    'package.json':
      '{ "name": "masa", "version": "4.12.0", "dependencies": { "electron-updater": "6.1.8" } }\n',
  },
  script(projectDir) {
    const { run, read } = callsIn(projectDir);
    return {
      main: [
        [
          say('Güncelleyiciye ve yayın iş akışına bakıyorum.'),
          read('src/main/updater.ts'),
          read('.github/workflows/release.yml'),
        ],
        [
          say(
            'Yeni sürüm önce kullanıcıların %10’una gidiyor, çökme oranı artmazsa 48 saat sonra %100’e çıkarılıyor (release.yml). Uygulama altı saatte bir kontrol ediyor ve güncellemeyi kapanışta kuruyor (autoInstallOnAppQuit). Yüzde 10 her kontrolde rastgele seçiliyor, yani bir kullanıcı er geç güncellemeyi alır.',
          ),
        ],
        [
          say('Haklı bir şüphe, kütüphanenin kendisine bakayım.'),
          read('vendor/electron-updater/AppUpdater.js'),
          run('grep -rn "updaterId" vendor src', 'Kimliği kim yazıyor', '.updaterId'),
        ],
        [
          say(
            'Düzeltiyorum: seçim rastgele değil. electron-updater, userData içindeki .updaterId dosyasındaki UUID’den sabit bir sayı hesaplıyor ve bunu stagingPercentage ile karşılaştırıyor. Aynı makine her sürümde hep ilk %10’da ya da hep dışında kalır. Bu yüzden destek ekibinin makineleri hiç erken sürüm görmüyor; .updaterId silinirse yeni bir kimlik üretilir.',
          ),
        ],
        [read('src/main/channel.ts'), read('build/notarize.md')],
        [
          say(
            'Kanalı lisans belirliyor: lisansta beta varsa beta, yoksa latest. userData altında channel.txt varsa o öncelikli, destek bunun için kullanıyor.\n\nBeta’dan kararlıya dönüş: allowDowngrade false olduğu için beta kullanıcısı kanalı değişse bile, kararlı sürüm onun sürümünü geçene kadar beta’da kalır. Hemen dönmek isteyen yeniden kurmalı.\n\nmacOS’ta fark indirmesi (differential download) kapalı, çünkü blockmap stapling’den önce üretiliyor ve noter onaylı dosyayla uyuşmuyor; her güncelleme tam boyutta iniyor.',
          ),
        ],
        [
          say(
            'Açılabilir ama önerim açmamak: allowDowngrade true olursa sunucudaki latest.yml yanlışlıkla eski bir sürüme dönerse herkes geri düşer, ve 4.11 öncesi sürümler yeni veritabanı şemasını açamıyor. Bir şeyi değiştirmedim.',
          ),
        ],
        [say('Rica ederim, kolay gelsin!')],
      ],
    };
  },
  prompts: [
    'selam, ekipte yeniyim. yeni sürüm kullanıcılara nasıl ulaşıyor, herkese aynı anda mı? sadece anlat, kod değiştirme',
    'rastgele olduğundan emin misin? destekteki arkadaşlar bir yıldır hiç erken sürüm almamış',
    'anladım. peki kanal nereden geliyor, beta kullanan biri kararlıya nasıl döner? bi de mac güncellemeleri neden bu kadar büyük',
    'allowDowngrade açsak olmaz mı?',
    'tamam açmıyoruz o zaman. Deniz de öyle demişti, 3.8’de herkesi geri düşürmüşüz. sağ ol',
  ],
  expects: {
    essentials: [
      { type: ['how-it-works', 'discovery'], says: [/%10|yüzde 10/, /48 saat/], prompt: 1 },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/updaterId/, /sabit|rastgele değil|aynı makine|UUID/],
        prompt: 2,
      },
      { type: ['how-it-works', 'discovery'], says: [/lisans/, /channel\.txt|kanal/], prompt: 3 },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/allowDowngrade/, /beta/, /kalır|yeniden kur|geçene/],
        prompt: 3,
      },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/blockmap/, /stapling|noter/], prompt: 3 },
      {
        type: ['decision', 'gotcha', 'discovery', 'preference', 'how-it-works'],
        says: [/allowDowngrade|açmıyoruz|açmamak/, /geri düş|şema|3\.8/],
      },
    ],
    niceToHave: [
      { type: ['how-it-works', 'discovery'], says: [/altı saatte|autoInstallOnAppQuit/] },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: [/destek/] },
      { type: ['decision', 'preference', 'gotcha', 'discovery'], says: [/3\.8|Deniz/] },
      { type: ['preference'], says: [/kod değiştirme/] },
    ],
    summaries: [
      { prompt: 1, request: [/sürüm/], learned: [/48 saat|%10/], filesRead: ['src/main/updater.ts'] },
      { prompt: 2, request: [/rastgele/], learned: [/updaterId/] },
      {
        prompt: 3,
        request: [/kanal/],
        learned: [/lisans|allowDowngrade|blockmap/],
        filesRead: ['src/main/channel.ts'],
      },
      { prompt: 4, request: [/allowDowngrade/] },
      { prompt: 5, optional: true },
    ],
    noise: ['Güncelleyiciye ve yayın iş akışına bakıyorum', 'Rica ederim', /Haklı bir şüphe/],
    untrue: [
      /her kontrolde rastgele/,
      /er geç güncellemeyi alır/,
      /allowDowngrade (açıldı|artık true|true yapıldı)/,
      /herkese aynı anda (gidiyor|ulaşıyor)/,
      /fark indirmesi.{0,20} açık/,
      /beta.{0,30} hemen kararlıya döner/,
    ],
    followUps: [
      {
        asks: 'benim bilgisayarım yeni sürümleri hep son gün alıyor, aşamalı dağıtım kimi nasıl seçiyor?',
        says: [/updaterId/],
      },
      {
        asks: 'müşteri beta kanalından çıkmak istiyor ama uygulama 4.13-beta’da takılı, ne yapalım?',
        says: [/allowDowngrade|yeniden kur/],
      },
      {
        asks: 'mac kullanıcıları her güncellemede 180 MB indiriyor, differential download’u neden kullanmıyoruz?',
        says: [/blockmap|stapling/],
      },
      {
        asks: 'bozuk bir sürümü geri çekmek için allowDowngrade’i true yapalım mı?',
        says: [/geri düş|şema|açmıyoruz|açmamak/],
      },
      { asks: 'destek bir müşteriyi geçici olarak beta’ya nasıl alır?', says: [/channel\.txt/] },
    ],
    unrelated: [
      'ayarlar penceresine yazı boyutu seçeneği ekle',
      'pdf çıktısında Türkçe karakterler bozuk görünüyor',
      'sol menünün simgelerini yenile',
    ],
  },
};
