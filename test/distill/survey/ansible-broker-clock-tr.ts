import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FIREWALL = 'roles/firewall/defaults/main.yml';
const PLAYBOOK = 'rolling.yml';

export const ansibleBrokerClockTr: SurveySession = {
  name: 'ansible-broker-clock-tr',
  about:
    'Kafka broker TLS hatası: sertifika değil saat kayması, firewall rolü UDP 123 kapatmış; rollout sırasında oturum öldürülüyor.',
  kind: 'operations',
  language: 'tr',
  ecosystem: 'ansible',
  files: {
    'inventory/prod.ini': '[kafka]\nbroker1\nbroker2\nbroker3\nbroker4\nbroker5\nbroker6\n',
    [FIREWALL]: `---
# Outgoing traffic that is not listed here is dropped.
firewall_egress:
  - { proto: tcp, port: 9093 }
  - { proto: tcp, port: 443 }
  - { proto: udp, port: 53 }
`,
    [PLAYBOOK]: `---
- hosts: kafka
  serial: 3
  roles:
    - firewall
    - kafka
`,
    'logs/broker4.log': `[08:41:02,117] INFO [SocketServer] Failed authentication with /10.4.0.12 (SSL handshake failed)
[08:41:02,118] WARN javax.net.ssl.SSLHandshakeException: certificate_unknown
[08:41:02,119] WARN Caused by: java.security.cert.CertificateNotYetValidException: NotBefore: Mon Sep 02 08:45:00 UTC 2024
`,
  },
  programs: {
    'ansible-playbook': `#!/bin/sh
case "$*" in
  *--check*)
    echo 'TASK [firewall : egress rules] ***'
    for n in 1 2 3 4 5 6; do echo "changed: [broker$n]"; done
    echo 'PLAY RECAP: ok=6 changed=6 unreachable=0 failed=0' ;;
  *)
    echo 'TASK [firewall : egress rules] ***'
    echo 'changed: [broker4]'
    touch rollout.started
    sleep 60 ;;
esac
`,
    ansible: `#!/bin/sh
case "$*" in
  *openssl*)
    for n in 4 5 6; do
      printf 'broker%s | CHANGED | rc=0 >>\\nnotBefore=Sep  2 08:45:00 2024 GMT\\nnotAfter=Dec  1 08:45:00 2024 GMT\\n' $n
    done ;;
  *chronyc*)
    for n in 1 2 3; do printf 'broker%s | CHANGED | rc=0 >>\\nSystem time : 0.000021 seconds slow of NTP time\\n' $n; done
    for n in 4 5 6; do printf 'broker%s | CHANGED | rc=0 >>\\nReference ID : 00000000 ()\\nSystem time : 437.2 seconds slow of NTP time\\n' $n; done ;;
  *) exit 1 ;;
esac
`,
  },
  prompts: [
    'prod kafka’da broker4, 5 ve 6 sabahki sertifika yenilemesinden beri TLS el sıkışmasında düşüyor. Nedenini bul ve düzelt. Restart gerekiyorsa kural şu: aynı anda asla birden fazla broker, serial 1; geçen sefer üçünü birden kapatınca partition’lar offline kaldı',
  ],
  how: { cut: 'killed', when: 'rollout.started' },
  script: (dir) => {
    const { run, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say('Önce broker4’ün loguna ve sertifika tarihlerine bakıyorum.'),
          run('cat logs/broker4.log', 'broker4 logu', 'CertificateNotYetValidException'),
          run(
            'ansible -i inventory/prod.ini kafka -a "openssl x509 -dates -in /etc/kafka/tls.crt"',
            'Sertifika tarihleri',
            'notAfter=Dec',
          ),
        ],
        [
          say(
            'İlk aklıma gelen yanlış ya da süresi geçmiş sertifikaydı ama öyle değil: sertifikalar 1 Aralık’a kadar geçerli. Hata “not yet valid”, yani düğümler kendilerini geçmişte sanıyor. Saatleri karşılaştırıyorum.',
          ),
          run(
            'ansible -i inventory/prod.ini kafka -a "chronyc tracking"',
            'Saat kayması',
            '437.2 seconds slow',
          ),
        ],
        [
          say(
            'broker4, 5 ve 6’nın saati 437 saniye geride ve chrony’nin referansı yok (00000000). broker1–3 ise 21 mikrosaniye içinde. Demek ki bu üç düğüm NTP sunucusuna ulaşamıyor; firewall rolüne bakalım.',
          ),
          read(FIREWALL),
          read(PLAYBOOK),
        ],
        [
          say(
            'Bulundu: firewall rolü izin listesiyle çalışıyor ve listede UDP 123 yok. Rol geçen hafta yalnızca yeni kurulan 4, 5 ve 6’ya uygulanmış, o günden beri saatleri serbestçe kayıyor. Sertifika yenilemesi sorunu yaratmadı, sadece görünür kıldı. NTP’yi listeye ekliyorum, `serial: 3` değerini de 1 yapıyorum.',
          ),
          edit(
            FIREWALL,
            '  - { proto: udp, port: 53 }\n',
            '  - { proto: udp, port: 53 }\n  - { proto: udp, port: 123 } # chrony; without it clocks drift and new certificates are "not yet valid"\n',
          ),
          edit(PLAYBOOK, 'serial: 3', 'serial: 1'),
        ],
        [
          run(
            'ansible-playbook -i inventory/prod.ini rolling.yml --check',
            'Deneme çalıştırması',
            'failed=0',
          ),
        ],
        [
          run(
            'git commit -qam "firewall: allow NTP out, restart brokers one by one" && git log --oneline -1',
            'Commit',
            'allow NTP out',
          ),
        ],
        [
          say(
            'Deneme temiz, altı düğümde de yalnızca firewall kuralı değişecek. Bir tuzak var: chrony büyük farkı yavaş yavaş kapatır, 437 saniye saatler sürer; kural uygulandıktan sonra `chronyc makestep` gerekiyor. Şimdi uyguluyorum.',
          ),
          cut('ansible-playbook -i inventory/prod.ini rolling.yml', 'Gerçek uygulama'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/UDP 123|NTP/, /firewall/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/437/, /saat/],
        prompt: 1,
      },
      {
        type: 'preference',
        says: [/aynı anda/, /broker/, /serial|partition/],
        prompt: 1,
      },
      { type: ['gotcha', 'discovery'], says: [/makestep/], prompt: 1 },
    ],
    niceToHave: [
      {
        type: ['bugfix', 'change'],
        says: [/123|NTP/],
        files: [FIREWALL],
        prompt: 1,
      },
      { type: ['discovery'], says: [/sertifika/, /Aralık|not yet valid/], prompt: 1 },
      { type: ['change', 'decision'], says: [/serial/, /1/], files: [PLAYBOOK], prompt: 1 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/kafka|broker/],
        learned: [/NTP|UDP 123|437/],
        filesModified: [FIREWALL, PLAYBOOK],
      },
    ],
    noise: ['loguna ve sertifika tarihlerine bakıyorum', 'Saatleri karşılaştırıyorum', 'Şimdi uyguluyorum'],
    untrue: [
      /(rollout|uygulama|playbook) (tamamlandı|başarıyla|bitti)/,
      /sertifika(lar)?(nın)? süresi (dolmuş|geçmişti)/,
      /bütün broker(lar)? düzeldi/,
    ],
    followUps: [
      { asks: 'yeni düğüm ekledim, chrony referans bulamıyor', says: [/123|NTP/] },
      { asks: 'kafka’yı güncelleyeceğim, üçer üçer kapatsam hızlı olmaz mı?', says: [/serial|aynı anda/] },
      { asks: 'geçen ayki “not yet valid” hatasının sebebi neydi?', says: [/saat|NTP/] },
      { asks: 'makinenin zamanı çok geride kaldı, kendiliğinden düzelir mi?', says: [/makestep/] },
    ],
    unrelated: [
      'grafana paneline disk kullanımı grafiği ekle',
      'postgres yedeklerini S3’e kopyalayan bir görev yaz',
      'README’ye yeni gelenler için kurulum adımlarını ekle',
    ],
  },
};
