import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const REPORT = 'app/reports/monthly_report.rb';
const CONCERN = 'app/reports/concerns/totalling.rb';
const TOTALS = 'app/models/monthly_totals.rb';
const CSV = 'app/models/monthly_report_csv.rb';
const MAILER = 'app/mailers/report_mailer.rb';
const SPEC = 'spec/reports/monthly_report_spec.rb';

export const rubyMonthlyReportJa: SurveySession = {
  name: 'ruby-monthly-report-ja',
  about:
    '肥大した月次レポートの分割。concern で始めて止められ、普通のクラスへ委譲。丸め順序の罠が見つかり、仕様だと分かる。',
  kind: 'refactoring',
  language: 'ja',
  ecosystem: 'ruby',
  files: {
    Gemfile: "source 'https://rubygems.org'\ngem 'rails', '~> 7.1'\n",
    [REPORT]: `class MonthlyReport
  def initialize(shops, month)
    @shops = shops
    @month = month
  end

  def to_csv
    rows = @shops.map { |shop| [shop.code, tax_for(shop)] }
    rows << ['TOTAL', @shops.sum { |shop| tax_for(shop) }]
    rows.map { |row| row.join(',') }.join("\\r\\n").encode('CP932')
  end

  def deliver
    ReportMailer.monthly(to_csv).deliver_later(wait_until: Date.today.end_of_day)
  end

  private

  def tax_for(shop)
    (shop.sales_in(@month) * BigDecimal('0.1')).floor
  end
end
`,
    [MAILER]: `class ReportMailer < ApplicationMailer
  # 取引先の会計ソフトは UTF-8 を読めない。CP932 + CRLF で送ること。
  def monthly(csv)
    attachments['monthly.csv'] = csv
    mail(to: 'keiri@example.jp')
  end
end
`,
    [SPEC]: `RSpec.describe MonthlyReport do
  it 'matches the golden file' do
    expect(described_class.new(shops, month).to_csv).to eq(golden('2025-03.csv'))
  end
end
`,
    'spec/golden/2025-03.csv': 'A01,1203\nA02,887\nTOTAL,2090\n',
  },
  programs: {
    rspec: `#!/bin/sh
case "$*" in
  *spec/reports*)
    if grep -qs "sum { |shop| shop.sales_in" app/models/monthly_totals.rb; then
      echo "Failure: expected TOTAL,2090 got TOTAL,2091"
      echo "4 examples, 1 failure"
      exit 1
    fi
    echo "4 examples, 0 failures" ;;
  *)
    echo "Randomized with seed 40117"
    touch rspec.started
    sleep 100 ;;
esac
`,
  },
  prompts: [
    'app/reports/monthly_report.rb が太りすぎて誰も触れない。集計とCSV整形と送信に分けてほしい。外から見た挙動は変えないこと。service クラスは増やさない方針で、ロジックは app/models に素のRubyクラスで置いてます',
    'ちょっと止めて。concern は使わないで。昔 concern 三つが互いの private メソッドを呼び合って誰も直せなくなった。普通のクラスに委譲して。それと spec 全部は流さなくていい、20分かかるから spec/reports だけ',
    '丸めは店舗ごとで正しい、経理と合意済みの仕様なので絶対に合計後にしないで。コードにもコメント残しておいて。コミットメッセージは「リファクタ: 」始まりでお願い。送信の Date.today はチケット切るから今は触らないで',
  ],
  how: { cut: 'interrupted', when: 'rspec.started' },
  script: (dir) => {
    const { run, fail, read, edit, write, cut } = callsIn(dir);
    return {
      main: [
        [say('現状を確認します。'), read(REPORT), read(MAILER), read(SPEC)],
        [
          say('税計算を concern に切り出すところから始めます。'),
          write(
            CONCERN,
            'module Totalling\n  def tax_for(shop)\n    (shop.sales_in(@month) * BigDecimal("0.1")).floor\n  end\nend\n',
          ),
        ],
        [cut('rspec', '全体のテストを実行')],
        [
          say(
            '承知しました。concern は消して、MonthlyTotals と MonthlyReportCsv の二つに委譲する形にします。',
          ),
          run(`rm ${CONCERN} && rmdir app/reports/concerns && git status --short`, 'concern を削除'),
          write(
            TOTALS,
            `class MonthlyTotals
  def initialize(shops, month)
    @shops = shops
    @month = month
  end

  def tax_for(shop)
    (shop.sales_in(@month) * BigDecimal('0.1')).floor
  end

  def total
    (@shops.sum { |shop| shop.sales_in(@month) } * BigDecimal('0.1')).floor
  end
end
`,
          ),
          write(
            CSV,
            `class MonthlyReportCsv
  def initialize(totals, shops)
    @totals = totals
    @shops = shops
  end

  def to_s
    rows = @shops.map { |shop| [shop.code, @totals.tax_for(shop)] }
    rows << ['TOTAL', @totals.total]
    rows.map { |row| row.join(',') }.join("\\r\\n").encode('CP932')
  end
end
`,
          ),
        ],
        [fail('rspec spec/reports', 'レポートの spec だけ実行', 'expected TOTAL,2090 got TOTAL,2091')],
        [
          say(
            '合計が1円ずれました。元のコードは店舗ごとに消費税を切り捨ててから足しているのに、私が売上を先に合計してから切り捨てたせいです。店舗ごとの切り捨てに戻します。',
          ),
          read(TOTALS),
        ],
        [
          edit(
            TOTALS,
            "(@shops.sum { |shop| shop.sales_in(@month) } * BigDecimal('0.1')).floor",
            '@shops.sum { |shop| tax_for(shop) }',
          ),
        ],
        [
          edit(
            REPORT,
            `    rows = @shops.map { |shop| [shop.code, tax_for(shop)] }
    rows << ['TOTAL', @shops.sum { |shop| tax_for(shop) }]
    rows.map { |row| row.join(',') }.join("\\r\\n").encode('CP932')
`,
            '    MonthlyReportCsv.new(MonthlyTotals.new(@shops, @month), @shops).to_s\n',
          ),
        ],
        [run('rspec spec/reports', 'もう一度', '4 examples, 0 failures')],
        [
          say(`分割が終わり、spec/reports は緑です。

- \`MonthlyTotals\` が集計、\`MonthlyReportCsv\` が整形、\`MonthlyReport\` は送信と組み立てだけになりました。
- CSV は CP932 と CRLF のまま残しています。取引先の会計ソフトが UTF-8 を読めないと mailer のコメントにありました。
- 気になった点がひとつ。\`deliver\` は \`Date.today\` を使っていて、サーバは UTC なので日本時間の朝9時までは前日扱いになります。挙動を変えない約束なので触っていません。

丸めは合計してからの方が自然にも見えますが、どうしましょうか？`),
        ],
        [read(TOTALS)],
        [
          edit(
            TOTALS,
            '  def total\n',
            '  # 経理との合意: 消費税は店舗ごとに切り捨ててから合計する。合計後に丸めると帳簿と合わない。\n  def total\n',
          ),
        ],
        [
          run('rspec spec/reports', '確認', '4 examples, 0 failures'),
          run(
            'git add -A && git commit -qm "リファクタ: 月次レポートを集計と整形に分割" && git log --oneline -1',
            'コミット',
            'リファクタ: 月次レポート',
          ),
        ],
        [
          say(
            'コメントを入れてコミットしました。`Date.today` はそのままです。お疲れさまでした。続きがあればいつでもどうぞ。',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'preference', says: [/concern/, /委譲|private/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/service/, /app\/models|増やさない/], prompt: 1 },
      {
        type: ['decision', 'preference', 'gotcha'],
        says: [/店舗ごと/, /経理|合意/],
        prompt: 3,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/1円|先に合計/, /店舗ごと/, /切り捨て/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/Date\.today/, /UTC/, /9時|前日/],
        prompt: 2,
      },
      { type: 'preference', says: [/リファクタ:/, /コミット/], prompt: 3 },
    ],
    niceToHave: [
      {
        type: ['refactor', 'change'],
        says: [/MonthlyTotals/, /MonthlyReportCsv/],
        files: [TOTALS, CSV],
        prompt: 2,
      },
      { type: ['discovery', 'gotcha', 'decision'], says: [/CP932/, /UTF-8|会計ソフト/], prompt: 2 },
      { type: 'preference', says: [/spec\/reports/, /20分/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/Date\.today/, /チケット|触らない/], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, optional: true, request: [/monthly_report/] },
      {
        prompt: 2,
        request: [/concern/],
        completed: [/MonthlyTotals|分割/],
        filesModified: [TOTALS, CSV, REPORT],
      },
      { prompt: 3, request: [/丸め/], completed: [/コメント|コミット/], filesModified: [TOTALS] },
    ],
    noise: [
      '現状を確認します',
      'お疲れさまでした',
      'いつでもどうぞ',
      'どうしましょうか',
      'concern に切り出すところから',
    ],
    untrue: [
      /合計してから(丸め|切り捨て)る(のが|仕様|方針)/,
      /Date\.today (を|は)(修正|変更|置き換え)(した|しました|済)/,
      /Totalling (を|に)(追加|作成)し/,
    ],
    followUps: [
      { asks: '共通処理を module にまとめて include したいんだけど、いい？', says: [/concern/] },
      { asks: '月次の税額合計が手計算と1円合わないと言われた、バグ？', says: [/店舗ごと/] },
      { asks: '朝一に配信予約した帳票の日付が一日ずれている気がする', says: [/Date\.today/, /UTC|前日/] },
      {
        asks: 'InvoiceService みたいなクラスを新しく切ってもいいですか',
        says: [/service/, /app\/models|増やさない/],
      },
      { asks: '出力ファイルの文字コードをUTF-8に揃えたい', says: [/CP932/] },
    ],
    unrelated: [
      'ログイン画面にパスワード表示ボタンを付けて',
      'Docker イメージのサイズを小さくしたい',
      '会員検索にフリガナ検索を追加して',
    ],
  },
};
