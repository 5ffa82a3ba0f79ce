import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UPLOAD = 'internal/unggah/unggah.go';
const STATE = 'internal/unggah/sisa.go';
const STATE_TEST = 'internal/unggah/sisa_test.go';
const MAIN = 'cmd/kirim/main.go';
const README = 'README.md';

const GO = `#!/bin/sh
# Stands in for Go. The first run of the tests is slow: it builds everything.
case "$1" in
  test)
    if [ ! -e .uji-mulai ]; then touch .uji-mulai; echo "# building"; sleep 60; exit 1; fi
    if [ ! -e ${STATE} ]; then echo "?   kirim/internal/unggah [no test files]"; exit 0; fi
    if grep -q 'UserCacheDir' ${STATE}; then echo "FAIL kirim/internal/unggah"; exit 1; fi
    if ! grep -q 'ukuran' ${STATE}; then
      echo "--- FAIL: TestBerkasBerubah (0.00s)"
      echo "    sisa_test.go:21: berkas diganti, tetapi unggahan dilanjutkan dari 16777216"
      echo "FAIL kirim/internal/unggah 0.012s"; exit 1
    fi
    echo "ok   kirim/internal/unggah 0.014s"; echo "ok   kirim/cmd/kirim 0.009s" ;;
  vet) exit 0 ;;
  run) echo "chunk 8388608: 204 dalam 11.2s"; echo "chunk 33554432: 504 setelah 60.0s (proxy klinik)" ;;
  *) exit 2 ;;
esac
`;

export const goLanjutUnggahId: SurveySession = {
  name: 'go lanjut unggah id',
  about:
    'A feature that the person stops in the middle, because the state would have been kept in the wrong place.',
  kind: 'feature',
  language: 'id',
  ecosystem: 'go',
  files: {
    'go.mod': 'module kirim\n\ngo 1.25\n',
    [MAIN]: `package main

import "flag"

func main() {
	tujuan := flag.String("tujuan", "", "alamat server")
	diam := flag.Bool("diam", false, "tanpa bilah kemajuan")
	flag.Parse()
	jalankan(*tujuan, *diam, flag.Args())
}
`,
    [UPLOAD]: `package unggah

const potongan = 32 << 20

// Kirim mengunggah satu berkas DICOM dari awal.
func Kirim(tujuan, jalur string) error {
	return kirimDari(tujuan, jalur, 0)
}
`,
    [README]: '# kirim\n\nMengunggah citra DICOM dari klinik ke server pusat (protokol tus).\n',
    'tools/ukur/main.go': 'package main\n\nfunc main() {}\n',
  },
  programs: { go: GO },
  prompts: [
    'tolong tambahkan fitur melanjutkan unggahan yg terputus di kirim. berkas DICOM bisa 2 GB dan internet klinik sering putus, tiap putus mulai dari nol lagi, capek',
    'stop dulu. jangan simpan apa pun di folder cache home, laptop klinik di-wipe tiap malam jam 12. simpan di sebelah berkasnya saja, folder data tidak ikut dihapus',
    'oke mantap. satu lagi: flag-nya ganti jadi --lanjut, semua flag di kirim pakai bahasa Indonesia, jangan dicampur Inggris. habis itu commit',
  ],
  how: { cut: 'interrupted', when: '.uji-mulai' },
  script: (dir) => {
    const { run, fail, cut, read, write, edit } = callsIn(dir);
    return {
      main: [
        [read(UPLOAD), read(MAIN), read(README)],
        [
          say(
            'Server memakai protokol tus, jadi posisi terakhir tidak perlu ditebak: HEAD ke URL unggahan mengembalikan Upload-Offset. Yang harus disimpan klien hanya URL unggahan itu. Sebelum menulis, saya ukur dulu ukuran potongan.',
          ),
          run('go run ./tools/ukur', 'Ukur ukuran potongan', 'chunk 33554432: 504'),
        ],
        [
          say(
            'Potongan 32 MiB selalu gagal dengan 504 di klinik: proxy mereka memutus permintaan setelah 60 detik. 8 MiB selesai dalam 11 detik, jadi saya turunkan ke 8 MiB.',
          ),
          edit(
            UPLOAD,
            'const potongan = 32 << 20',
            '// Proxy klinik memutus permintaan setelah 60 detik.\nconst potongan = 8 << 20',
          ),
          write(
            STATE,
            `package unggah

import "os"

// URL unggahan yang belum selesai disimpan di folder cache pengguna.
func tempatSisa(jalur string) string {
	dir, _ := os.UserCacheDir()
	return dir + "/kirim/" + jalur
}
`,
          ),
        ],
        [cut('go test ./...', 'Jalankan semua tes')],
        [say('Baik, saya pindahkan ke samping berkas: `<nama>.dcm.sisa`.'), read(STATE)],
        [
          write(
            STATE,
            `package unggah

// URL unggahan yang belum selesai disimpan di samping berkasnya:
// laptop klinik dihapus tiap malam, kecuali folder data.
func tempatSisa(jalur string) string {
	return jalur + ".sisa"
}
`,
          ),
          write(
            STATE_TEST,
            `package unggah

import "testing"

func TestDilanjutkan(t *testing.T) {}

// Berkas dengan nama sama tetapi isi lain harus mulai dari nol.
func TestBerkasBerubah(t *testing.T) {}
`,
          ),
          edit(
            MAIN,
            '\tflag.Parse()',
            '\tresume := flag.Bool("resume", true, "lanjutkan unggahan yang terputus")\n\tflag.Parse()',
          ),
        ],
        [fail('go test ./...', 'Tes', 'TestBerkasBerubah')],
        [
          say(
            'Tes menangkap kasus yang berbahaya: alat CT menulis ulang berkas dengan nama yang sama, lalu separuh citra lama tersambung dengan separuh citra baru. Jadi ukuran dan waktu ubah berkas ikut disimpan, dan kalau berbeda, unggahan mulai dari nol.',
          ),
          edit(
            STATE,
            'func tempatSisa(',
            '// Jika ukuran atau waktu ubah berbeda, berkas sudah diganti dan unggahan mulai dari nol.\ntype sisa struct {\n\tURL    string\n\tukuran int64\n\tdiubah int64\n}\n\nfunc tempatSisa(',
          ),
        ],
        [run('go vet ./... && go test ./...', 'Tes lagi', 'ok   kirim/internal/unggah')],
        [
          say(`Unggahan yang terputus sekarang dilanjutkan.

- URL unggahan disimpan di \`<nama>.dcm.sisa\` di samping berkas, bukan di cache home. Dihapus setelah unggahan selesai.
- Posisi diambil dari server (HEAD, \`Upload-Offset\`), bukan dari catatan lokal.
- Ukuran dan waktu ubah ikut dicatat: bila alat CT menulis ulang berkas dengan nama sama, unggahan diulang dari nol supaya dua citra tidak tercampur.
- Potongan turun dari 32 MiB ke 8 MiB karena proxy klinik memutus permintaan setelah 60 detik.

Belum ditangani: server menghapus unggahan yang menggantung lebih dari 24 jam (HEAD menjawab 404). Saat ini itu masih dilaporkan sebagai galat, belum otomatis mulai ulang.`),
        ],
        [read(MAIN)],
        [
          edit(MAIN, 'resume := flag.Bool("resume"', 'lanjut := flag.Bool("lanjut"'),
          run('grep -n "flag" cmd/kirim/main.go', 'Periksa semua flag', 'lanjut'),
        ],
        [
          run(
            'go test ./... && git add internal cmd && git commit -qm "feat(unggah): lanjutkan unggahan yang terputus" && git log --oneline -1',
            'Tes dan commit',
            'feat(unggah)',
          ),
        ],
        [say('Sudah: flag bernama `--lanjut`, commit `feat(unggah): lanjutkan unggahan yang terputus`.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/cache/, /di-wipe|dihapus tiap malam/, /sebelah|samping/],
      },
      {
        type: ['gotcha', 'feature', 'discovery', 'decision', 'bugfix'],
        says: ['8 MiB', /60 detik/, /proxy/],
      },
      {
        type: ['gotcha', 'feature', 'decision', 'discovery', 'bugfix'],
        says: [/ukuran/, /waktu ubah/, /nama (yang )?sama/, /dari nol/],
        files: [STATE],
      },
      { type: ['preference', 'decision'], says: [/flag/, /bahasa Indonesia/] },
    ],
    niceToHave: [
      { type: ['how-it-works', 'feature', 'discovery', 'decision'], says: ['HEAD', 'Upload-Offset'] },
      { type: ['gotcha', 'discovery', 'feature', 'change'], says: [/24 jam/, '404'] },
      { type: 'feature', says: [/\.sisa|dilanjutkan|lanjutkan/], files: [STATE] },
    ],
    summaries: [
      { prompt: 1, request: ['unggahan'], learned: [/504|60 detik|Upload-Offset/], filesModified: [UPLOAD] },
      {
        prompt: 2,
        completed: [/\.sisa|dilanjutkan/],
        nextSteps: [/24 jam|404|otomatis/],
        filesModified: [STATE, MAIN],
      },
      { prompt: 3, completed: ['--lanjut'], filesModified: [MAIN] },
    ],
    noise: ['oke mantap', 'sisa_test.go:21', 'saya ukur dulu'],
    untrue: [
      /disimpan di (folder )?cache (pengguna|home)/,
      /flag (bernama|jadi) `?--resume/,
      /otomatis mulai ulang (setelah|jika|kalau) 404/,
    ],
    followUps: [
      {
        asks: 'di mana sebaiknya aplikasi menaruh data sementara di komputer klinik?',
        says: [/di-wipe|dihapus tiap malam|samping|sebelah/],
      },
      {
        asks: 'mau nambah opsi baris perintah buat jumlah percobaan ulang, namanya --retries boleh?',
        says: [/bahasa Indonesia/],
      },
      { asks: 'kenapa permintaan besar dari rumah sakit selalu gateway timeout?', says: [/60 detik/] },
      {
        asks: 'bagaimana kita tahu gambar CT di server bukan gabungan dua pemeriksaan?',
        says: [/waktu ubah|nama (yang )?sama/],
      },
    ],
    unrelated: [
      'buatkan halaman login untuk dashboard admin',
      'perbarui lisensi di README ke MIT',
      'bagaimana cara menambah kolom no_rm di tabel pasien?',
    ],
  },
};
