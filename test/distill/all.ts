import type { DistillSession, SurveySession } from './session.ts';
import { backgroundRun } from './sessions/background-run.ts';
import { clockInjected } from './sessions/clock-injected.ts';
import { compactedHunt } from './sessions/compacted-hunt.ts';
import { corrections } from './sessions/corrections.ts';
import { coverageAdded } from './sessions/coverage-added.ts';
import { deadEnd } from './sessions/dead-end.ts';
import { djangoSlowList } from './sessions/django-slow-list.ts';
import { docsPnpm } from './sessions/docs-pnpm.ts';
import { featureWithDecision } from './sessions/feature-with-decision.ts';
import { germanBugfix } from './sessions/german-bugfix.ts';
import { germanProxy } from './sessions/german-proxy.ts';
import { goRacyCache } from './sessions/go-racy-cache.ts';
import { interrupted } from './sessions/interrupted.ts';
import { japaneseBugfix } from './sessions/japanese-bugfix.ts';
import { japaneseExport } from './sessions/japanese-export.ts';
import { killed } from './sessions/killed.ts';
import { leakNotHere } from './sessions/leak-not-here.ts';
import { moduleGotcha } from './sessions/module-gotcha.ts';
import { moneyRefactor } from './sessions/money-refactor.ts';
import { monorepoSharedMoney } from './sessions/monorepo-shared-money.ts';
import { oddJobs } from './sessions/odd-jobs.ts';
import { optionRenamed } from './sessions/option-renamed.ts';
import { pastedTrace } from './sessions/pasted-trace.ts';
import { personDecides } from './sessions/person-decides.ts';
import { pythonUtc } from './sessions/python-utc.ts';
import { questionAnswered } from './sessions/question-answered.ts';
import { redTestFixed } from './sessions/red-test-fixed.ts';
import { routeAudit } from './sessions/route-audit.ts';
import { rustJsonFlag } from './sessions/rust-json-flag.ts';
import { secretAndPrivate } from './sessions/secret-and-private.ts';
import { shellScript } from './sessions/shell-script.ts';
import { smallTalk } from './sessions/small-talk.ts';
import { sqlNotNull } from './sessions/sql-not-null.ts';
import { stillRed } from './sessions/still-red.ts';
import { subagentReport } from './sessions/subagent-report.ts';
import { terraformRename } from './sessions/terraform-rename.ts';
import { terseAgent } from './sessions/terse-agent.ts';
import { threeThings } from './sessions/three-things.ts';
import { addioDate } from './survey/addio-date-it.ts';
import { airflowLunesDoblesEs } from './survey/airflow-lunes-dobles-es.ts';
import { angularHundredSubscriptionsEn } from './survey/angular-hundred-subscriptions-en.ts';
import { ansibleBrokerClockTr } from './survey/ansible-broker-clock-tr.ts';
import { ansibleJournalFull } from './survey/ansible-journal-full.ts';
import { apexCommissionsRevueFr } from './survey/apex-commissions-revue-fr.ts';
import { appLockKo } from './survey/app-lock-ko.ts';
import { axumEightHundredSv } from './survey/axum-eight-hundred-sv.ts';
import { boletosNet8Pt } from './survey/boletos-net8-pt.ts';
import { bootThree } from './survey/boot-three.ts';
import { bootUpgrade } from './survey/boot-upgrade-de.ts';
import { cLinkContext } from './survey/c-link-context.ts';
import { canBusOffZh } from './survey/can-bus-off-zh.ts';
import { cantineLigneDoubleFr } from './survey/cantine-ligne-double-fr.ts';
import { celeryExportTwiceNl } from './survey/celery-export-twice-nl.ts';
import { chargingBillQuestionsZh } from './survey/charging-bill-questions-zh.ts';
import { clickhousePartsZh } from './survey/clickhouse-parts-zh.ts';
import { clojureFaresSplitEl } from './survey/clojure-fares-split-el.ts';
import { cmakeWhyStatic } from './survey/cmake-why-static.ts';
import { cobolCopybookEn } from './survey/cobol-copybook-en.ts';
import { coldRoomFrames } from './survey/cold-room-frames.ts';
import { columnSettingsZh } from './survey/column-settings-zh.ts';
import { couponLockReviewZh } from './survey/coupon-lock-review-zh.ts';
import { couponReview } from './survey/coupon-review.ts';
import { dartRaqamArabiAr } from './survey/dart-raqam-arabi-ar.ts';
import { dbtNightlyZh } from './survey/dbt-nightly-zh.ts';
import { dbtReview } from './survey/dbt-review-en.ts';
import { discoPostgresEs } from './survey/disco-postgres-es.ts';
import { django42Fr } from './survey/django-42-fr.ts';
import { dockerRunnerDiskZh } from './survey/docker-runner-disk-zh.ts';
import { domandeLetture } from './survey/domande-letture.ts';
import { dotnetEightEn } from './survey/dotnet-eight-en.ts';
import { dotnetPricesRu } from './survey/dotnet-prices-ru.ts';
import { dotnetPricingPt } from './survey/dotnet-pricing-pt.ts';
import { duplicateReminderKo } from './survey/duplicate-reminder-ko.ts';
import { elasticAchtDe } from './survey/elastic-acht-de.ts';
import { electronGuncellemeTr } from './survey/electron-guncelleme-tr.ts';
import { elixirDoubleKilometres } from './survey/elixir-double-kilometres.ts';
import { elixirWeeklyDigest } from './survey/elixir-weekly-digest.ts';
import { erasureReview } from './survey/erasure-review.ts';
import { erlangSeatHoldsEn } from './survey/erlang-seat-holds-en.ts';
import { expressFiveJa } from './survey/express-five-ja.ts';
import { facturesMelangeesFr } from './survey/factures-melangees-fr.ts';
import { fastapiAttachmentReview } from './survey/fastapi-attachment-review.ts';
import { fastapiWebhookReview } from './survey/fastapi-webhook-review.ts';
import { ferryIdempotencyEn } from './survey/ferry-idempotency-en.ts';
import { flinkChuangkouZh } from './survey/flink-chuangkou-zh.ts';
import { flutterScrollKo } from './survey/flutter-scroll-ko.ts';
import { flutterStocktakeJa } from './survey/flutter-stocktake-ja.ts';
import { framerReview } from './survey/framer-review-en.ts';
import { framesVerschwindenDe } from './survey/frames-verschwinden-de.ts';
import { gatewayWatchdog } from './survey/gateway-watchdog-zh.ts';
import { gaugeChecksumEn } from './survey/gauge-checksum-en.ts';
import { gearboxReviewEn } from './survey/gearbox-review-en.ts';
import { genericPlanHunt } from './survey/generic-plan-hunt.ts';
import { goGatewayGoroutinesKo } from './survey/go-gateway-goroutines-ko.ts';
import { goIdempotencyZh } from './survey/go-idempotency-zh.ts';
import { goLanjutUnggahId } from './survey/go-lanjut-unggah-id.ts';
import { goPaidTwice } from './survey/go-paid-twice.ts';
import { godotSaveSlotsEn } from './survey/godot-save-slots-en.ts';
import { godotSaveVersionsEn } from './survey/godot-save-versions-en.ts';
import { gradleJava21 } from './survey/gradle-java21.ts';
import { graphqlBillingReviewJa } from './survey/graphql-billing-review-ja.ts';
import { gutscheinReviewDe } from './survey/gutschein-review-de.ts';
import { haskellSinceFlag } from './survey/haskell-since-flag.ts';
import { helmScaleDown502 } from './survey/helm-502-scale-down.ts';
import { helmDrain502 } from './survey/helm-drain-502.ts';
import { ingestCrashloop } from './survey/ingest-crashloop-en.ts';
import { invoiceNumberGapsEn } from './survey/invoice-number-gaps-en.ts';
import { java21BankImportCs } from './survey/java21-bank-import-cs.ts';
import { jeongsanChai } from './survey/jeongsan-chai.ts';
import { kafkaDiscoCheioPt } from './survey/kafka-disco-cheio-pt.ts';
import { kafkaRedeliveryDe } from './survey/kafka-redelivery-de.ts';
import { kafkaTaxLagRu } from './survey/kafka-tax-lag-ru.ts';
import { kotlinDuplicatePush } from './survey/kotlin-duplicate-push.ts';
import { kotlinFavoritosEs } from './survey/kotlin-favoritos-es.ts';
import { kotlinSyncSplitJa } from './survey/kotlin-sync-split-ja.ts';
import { labelWorkerStallEn } from './survey/label-worker-stall-en.ts';
import { laravelTracciatoPagheIt } from './survey/laravel-tracciato-paghe-it.ts';
import { larderPackOffsetEn } from './survey/larder-pack-offset-en.ts';
import { lembreteBoleto } from './survey/lembrete-boleto-pt.ts';
import { libraryToNet8 } from './survey/library-to-net8.ts';
import { limiterReview } from './survey/limiter-review.ts';
import { listComposableZh } from './survey/list-composable-zh.ts';
import { logBucket } from './survey/log-bucket-en.ts';
import { logoutBackup } from './survey/logout-backup-ko.ts';
import { lostArticles } from './survey/lost-articles.ts';
import { lostScans } from './survey/lost-scans.ts';
import { mailZertifikat } from './survey/mail-zertifikat.ts';
import { migracaoReact19 } from './survey/migracao-react19.ts';
import { moduleAufteilen } from './survey/module-aufteilen-de.ts';
import { mojibakeImport } from './survey/mojibake-import.ts';
import { mongoSetePt } from './survey/mongo-sete-pt.ts';
import { monshinDraftJa } from './survey/monshin-draft-ja.ts';
import { mysqlOrdersColumnEn } from './survey/mysql-orders-column-en.ts';
import { nachruecken } from './survey/nachruecken.ts';
import { natFacture } from './survey/nat-facture.ts';
import { nestCancelaciones } from './survey/nest-cancelaciones.ts';
import { newcomerAsksAboutCi } from './survey/newcomer-asks-about-ci.ts';
import { next15Japanese } from './survey/next15-japanese.ts';
import { nginxOpenFiles } from './survey/nginx-open-files.ts';
import { nginxSocketEn } from './survey/nginx-socket-en.ts';
import { nixTwoOpensslEn } from './survey/nix-two-openssl-en.ts';
import { numeracja } from './survey/numeracja-pl.ts';
import { ocamlReverseChargeEn } from './survey/ocaml-reverse-charge-en.ts';
import { offlinePhotos } from './survey/offline-photos-ja.ts';
import { offlineShitagakiJa } from './survey/offline-shitagaki-ja.ts';
import { oneClock } from './survey/one-clock-en.ts';
import { oomPosleUzlovRu } from './survey/oom-posle-uzlov-ru.ts';
import { openrestyForeignTariffUk } from './survey/openresty-foreign-tariff-uk.ts';
import { optionsTypeesFr } from './survey/options-typees-fr.ts';
import { orderExport } from './survey/order-export-zh.ts';
import { otaSlotsReviewEn } from './survey/ota-slots-review-en.ts';
import { otpResendHi } from './survey/otp-resend-hi.ts';
import { outboxQuestionsAr } from './survey/outbox-questions-ar.ts';
import { pandasMissingStoresEn } from './survey/pandas-missing-stores-en.ts';
import { perlDebian12Pl } from './survey/perl-debian12-pl.ts';
import { perlRatingSplitPl } from './survey/perl-rating-split-pl.ts';
import { phpOrderTotals } from './survey/php-order-totals.ts';
import { phpUnknownOrder } from './survey/php-unknown-order.ts';
import { pollingZh } from './survey/polling-zh.ts';
import { postgresBackupRu } from './survey/postgres-backup-ru.ts';
import { postgresGenericPlan } from './survey/postgres-generic-plan.ts';
import { postgresRlsDomandeIt } from './survey/postgres-rls-domande-it.ts';
import { probeKills } from './survey/probe-kills.ts';
import { prometheusNightOomHe } from './survey/prometheus-night-oom-he.ts';
import { promoReview } from './survey/promo-review.ts';
import { pythonPaymentsEn } from './survey/python-payments-en.ts';
import { pythonRefundReview } from './survey/python-refund-review.ts';
import { qtTableFreezeEn } from './survey/qt-table-freeze-en.ts';
import { rDeuxTauxFr } from './survey/r-deux-taux-fr.ts';
import { rabbitDiskAlarmEn } from './survey/rabbit-disk-alarm-en.ts';
import { railsDoubleInvoicePl } from './survey/rails-double-invoice-pl.ts';
import { railsSieteUnoEs } from './survey/rails-siete-uno-es.ts';
import { railsUpgrade } from './survey/rails-upgrade.ts';
import { ratesLatency } from './survey/rates-latency-en.ts';
import { reactDraftAutosave } from './survey/react-draft-autosave.ts';
import { reactNativeScannerEn } from './survey/react-native-scanner-en.ts';
import { recordatoriosDobles } from './survey/recordatorios-dobles.ts';
import { resticStillerTimerDe } from './survey/restic-stiller-timer-de.ts';
import { restoreDrillEn } from './survey/restore-drill-en.ts';
import { revisionWebhook } from './survey/revision-webhook.ts';
import { rotationSecrets } from './survey/rotation-secrets-fr.ts';
import { rubyMonthlyReportJa } from './survey/ruby-monthly-report-ja.ts';
import { rustLogsliceEn } from './survey/rust-logslice-en.ts';
import { rustPoolReviewEn } from './survey/rust-pool-review-en.ts';
import { rustRevueFr } from './survey/rust-revue-fr.ts';
import { rustSpoolQuestions } from './survey/rust-spool-questions.ts';
import { rustWhenIsItSafe } from './survey/rust-when-is-it-safe.ts';
import { scala213Es } from './survey/scala-213-es.ts';
import { shiftCalendar } from './survey/shift-calendar-uk.ts';
import { shipctlProfilesEn } from './survey/shipctl-profiles-en.ts';
import { sidekiqBump } from './survey/sidekiq-bump-en.ts';
import { sleepCurrent } from './survey/sleep-current-ru.ts';
import { smsLimitRu } from './survey/sms-limit-ru.ts';
import { solidityVestingReviewEn } from './survey/solidity-vesting-review-en.ts';
import { solidityVestingReviewEs } from './survey/solidity-vesting-review-es.ts';
import { splitInvoice } from './survey/split-invoice.ts';
import { springReminderMails } from './survey/spring-reminder-mails.ts';
import { sqlalchemyTwoEn } from './survey/sqlalchemy-two-en.ts';
import { stagingRestarts } from './survey/staging-restarts.ts';
import { subastasUnProcesoPorLoteEs } from './survey/subastas-un-proceso-por-lote-es.ts';
import { svelteBulkInviteKo } from './survey/svelte-bulk-invite-ko.ts';
import { swiftAsyncJa } from './survey/swift-async-ja.ts';
import { swiftStaleWidgetEn } from './survey/swift-stale-widget-en.ts';
import { swiftStandortDe } from './survey/swift-standort-de.ts';
import { syncQuestionsEn } from './survey/sync-questions-en.ts';
import { terraformRdsMoveEn } from './survey/terraform-rds-move-en.ts';
import { terraformRedisReplacePt } from './survey/terraform-redis-replace-pt.ts';
import { terraformRollback } from './survey/terraform-rollback.ts';
import { tiledPipeline } from './survey/tiled-pipeline.ts';
import { tokenRefreshFrage } from './survey/token-refresh-frage.ts';
import { tokioRelayQuestions } from './survey/tokio-relay-questions.ts';
import { torchUpgradeEn } from './survey/torch-upgrade-en.ts';
import { tramsDiskSlotsEn } from './survey/trams-disk-slots-en.ts';
import { unityRollbackQuestionsZh } from './survey/unity-rollback-questions-zh.ts';
import { uploadQueueSurvives } from './survey/upload-queue-survives.ts';
import { ventasDuplicadas } from './survey/ventas-duplicadas-es.ts';
import { vueSeatCountdownVi } from './survey/vue-seat-countdown-vi.ts';
import { vueViteUpgradeFr } from './survey/vue-vite-upgrade-fr.ts';
import { waitlistJa } from './survey/waitlist-ja.ts';
import { walDiskEn } from './survey/wal-disk-en.ts';
import { webhookRetriesEn } from './survey/webhook-retries-en.ts';
import { webhookRetryJa } from './survey/webhook-retry-ja.ts';
import { webhookTwice } from './survey/webhook-twice-en.ts';
import { zaehlerstandBigintDe } from './survey/zaehlerstand-bigint-de.ts';
import { zephyrDoorBatteryJa } from './survey/zephyr-door-battery-ja.ts';
import { zephyrWatchdogResetEn } from './survey/zephyr-watchdog-reset-en.ts';

/** Played with the real client: their commands run on any machine. */
export const distillSessions: DistillSession[] = [
  redTestFixed,
  featureWithDecision,
  questionAnswered,
  corrections,
  docsPnpm,
  moduleGotcha,
  shellScript,
  coverageAdded,
  threeThings,
  terseAgent,
  pastedTrace,
  stillRed,
  deadEnd,
  personDecides,
  optionRenamed,
  subagentReport,
  backgroundRun,
  secretAndPrivate,
  smallTalk,
  germanBugfix,
  japaneseBugfix,
  killed,
  interrupted,
  compactedHunt,
  moneyRefactor,
  leakNotHere,
  pythonUtc,
  routeAudit,
  germanProxy,
  japaneseExport,
  oddJobs,
  clockInjected,
];

/** Told without the client: their commands need programs that few machines have. */
export const toldSessions: DistillSession[] = [
  djangoSlowList,
  goRacyCache,
  rustJsonFlag,
  monorepoSharedMoney,
  terraformRename,
  sqlNotNull,
];

/** Written by people who did not know the distiller, and used to improve it; each batch is of another author. */
export const surveyBatches: SurveySession[][] = [
  [
    migracaoReact19,
    jeongsanChai,
    stagingRestarts,
    revisionWebhook,
    columnSettingsZh,
    django42Fr,
    expressFiveJa,
    genericPlanHunt,
    helmDrain502,
    moduleAufteilen,
    labelWorkerStallEn,
    limiterReview,
    lostScans,
    promoReview,
    recordatoriosDobles,
    splitInvoice,
    tiledPipeline,
    tokenRefreshFrage,
    walDiskEn,
    webhookRetryJa,
  ],
  [
    bootThree,
    cLinkContext,
    couponReview,
    elixirWeeklyDigest,
    kotlinDuplicatePush,
    libraryToNet8,
    lostArticles,
    mailZertifikat,
    mojibakeImport,
    nachruecken,
    newcomerAsksAboutCi,
    phpOrderTotals,
    postgresGenericPlan,
    probeKills,
    pythonRefundReview,
    railsUpgrade,
    reactDraftAutosave,
    rustSpoolQuestions,
    terraformRollback,
    uploadQueueSurvives,
  ],
  [
    goPaidTwice,
    next15Japanese,
    springReminderMails,
    fastapiWebhookReview,
    helmScaleDown502,
    rustWhenIsItSafe,
    coldRoomFrames,
    erasureReview,
    natFacture,
    pollingZh,
    appLockKo,
    domandeLetture,
  ],
  [
    ansibleJournalFull,
    cmakeWhyStatic,
    dbtNightlyZh,
    dotnetPricesRu,
    flutterStocktakeJa,
    haskellSinceFlag,
    phpUnknownOrder,
    rustRevueFr,
    scala213Es,
    swiftStandortDe,
  ],
  [
    clickhousePartsZh,
    goGatewayGoroutinesKo,
    godotSaveVersionsEn,
    kafkaTaxLagRu,
    otaSlotsReviewEn,
    otpResendHi,
    outboxQuestionsAr,
    resticStillerTimerDe,
    rubyMonthlyReportJa,
    sqlalchemyTwoEn,
  ],
  [
    ansibleBrokerClockTr,
    canBusOffZh,
    kotlinSyncSplitJa,
    nixTwoOpensslEn,
    railsDoubleInvoicePl,
    rustPoolReviewEn,
    swiftStaleWidgetEn,
    terraformRedisReplacePt,
    torchUpgradeEn,
    vueSeatCountdownVi,
  ],
  [
    angularHundredSubscriptionsEn,
    dockerRunnerDiskZh,
    goLanjutUnggahId,
    java21BankImportCs,
    mysqlOrdersColumnEn,
    openrestyForeignTariffUk,
    pandasMissingStoresEn,
    rDeuxTauxFr,
    solidityVestingReviewEs,
    svelteBulkInviteKo,
  ],
  [
    axumEightHundredSv,
    celeryExportTwiceNl,
    clojureFaresSplitEl,
    elasticAchtDe,
    graphqlBillingReviewJa,
    laravelTracciatoPagheIt,
    prometheusNightOomHe,
    qtTableFreezeEn,
    shipctlProfilesEn,
    unityRollbackQuestionsZh,
  ],
  [
    airflowLunesDoblesEs,
    apexCommissionsRevueFr,
    electronGuncellemeTr,
    erlangSeatHoldsEn,
    mongoSetePt,
    ocamlReverseChargeEn,
    perlRatingSplitPl,
    rabbitDiskAlarmEn,
    reactNativeScannerEn,
    zephyrDoorBatteryJa,
  ],
  [
    dotnetPricingPt,
    flutterScrollKo,
    goIdempotencyZh,
    kafkaRedeliveryDe,
    kotlinFavoritosEs,
    nginxSocketEn,
    postgresBackupRu,
    pythonPaymentsEn,
    rustLogsliceEn,
    vueViteUpgradeFr,
  ],
  [
    bootUpgrade,
    framerReview,
    gatewayWatchdog,
    ingestCrashloop,
    offlinePhotos,
    oneClock,
    ratesLatency,
    rotationSecrets,
    shiftCalendar,
    ventasDuplicadas,
  ],
  [
    addioDate,
    dbtReview,
    lembreteBoleto,
    logBucket,
    logoutBackup,
    numeracja,
    orderExport,
    sidekiqBump,
    sleepCurrent,
    webhookTwice,
  ],
  [
    couponLockReviewZh,
    duplicateReminderKo,
    framesVerschwindenDe,
    invoiceNumberGapsEn,
    offlineShitagakiJa,
    oomPosleUzlovRu,
    optionsTypeesFr,
    railsSieteUnoEs,
    terraformRdsMoveEn,
    webhookRetriesEn,
  ],
  [
    cobolCopybookEn,
    dartRaqamArabiAr,
    flinkChuangkouZh,
    godotSaveSlotsEn,
    kafkaDiscoCheioPt,
    perlDebian12Pl,
    postgresRlsDomandeIt,
    solidityVestingReviewEn,
    swiftAsyncJa,
    zephyrWatchdogResetEn,
  ],
  [discoPostgresEs, gaugeChecksumEn, gutscheinReviewDe, syncQuestionsEn, waitlistJa],
  [dotnetEightEn, facturesMelangeesFr, listComposableZh, restoreDrillEn, smsLimitRu],
  [
    elixirDoubleKilometres,
    fastapiAttachmentReview,
    gradleJava21,
    nestCancelaciones,
    nginxOpenFiles,
    tokioRelayQuestions,
  ],
  [boletosNet8Pt, gearboxReviewEn, larderPackOffsetEn, monshinDraftJa, zaehlerstandBigintDe],
  [
    cantineLigneDoubleFr,
    chargingBillQuestionsZh,
    ferryIdempotencyEn,
    subastasUnProcesoPorLoteEs,
    tramsDiskSlotsEn,
  ],
];
export const surveySessions: SurveySession[] = surveyBatches.flat();

/** The same, but kept from the distiller until it was finished. */
export const unseenSessions: SurveySession[] = [];
