/**
 * Words for the same thing when people talk about software, a row for each thing: in English as the index has them, in
 * other languages as their beginnings without accents. A colleague says "the service died" where the memory says "the
 * process was killed". Claims are put in order by it; search does not use it.
 */
export const RELATED_ROWS = `
timeout deadlin expir limit wait frist zeituberschreitung ablauf delai expirat plazo caduc prazo scadenz таимаут срок истек 超时 期限 过期 만료 시간
delet drop purg wipe eras discard clean rid remov prune truncat loschen geloscht loscht entfern bereinig supprim efface purge vider borrar borrado elimin limpi apagar excluir limpa cancella rimuov удал чист стира 删除 清理 清空 清除 削除 消す 消え 삭제 지우 정리
slow latenc perform lag delai sluggish langsam lahm latenz dauert lent lenteur ralenti lento lentitud tarda demora lentezza медлен тормоз задержк долго 很慢 延迟 性能 卡顿 太慢 遅い 遅く 重い 지연 성능
crash fail break die dead abort panic except bomb blow absturz abgesturz scheiter bricht echou casse echec falla fallo rompe quebr falha errore fallit rotto паден падает упал слома рухн 崩溃 挂了 失败 中断 落ち 失敗 異常 죽었 실패 중단
kill termin stop shutdown sigkil sigterm quit exit evict drain grace beenden beendet gekillt stoppt abgeschoss herunterfahr arret arrete terminer matar detiene apaga encerr desliga ferma termina spegn убива убит останов заверш 终止 停止 杀死 关闭 停机 終了 強制 종료 중지 내려 드레
error failur except fault bug defect issu problem fehler ausnahme defekt erreur bogue probleme anomali fallo excepcion erro problema falha errore guasto ошибк исключен сбои проблем 错误 异常 故障 报错 问题 障害 例外 問題 不具 오류 에러 버그 문제 장애
freez hang stall stuck block deadlock unrespons sleep idl haengt hangt blockier eingefror klemmt bloqu fige gele colgad cuelga atasc trava congela pende зависа завис застр блокир 卡住 卡死 阻塞 挂起 死锁 止ま 固ま 詰ま 멈추
duplic twice doubl repeat again dedup uniqu idempot doppel zweimal mehrfach duplikat eindeutig deux fois double doublon repet unique duplicad repetid doble veces duas dobro duplo doppi univoc дважды дубл повтор уникаль 重复 两次 去重 幂等 唯一 重複 二重 二回 冪等 一意 중복 멱등
lose lost miss vanish disappear gone drop swallow forget verlor verlier verschwind verschwund fehlt fehlen weg perd perdu dispar manqu perdid pierde desaparec falta perdeu sumiu perso spari manca потер пропа исчез теря нет 丢失 丢了 消失 不见 缺失 遗漏 消え 失わ 欠落 抜け 漏れ 없어 사라 누락 유실 빠져
memori ram heap oom leak footprint rss speicher arbeitsspeicher ausgelauf memoire fuite memoria fuga vazament памят утечк 内存 泄漏 메모
disk storag volum space full capac quota platte speicherplatz voll belegt disque espace plein stockage disco espacio lleno almacen espaco cheio armazen spazio pieno диск мест хранилищ полн 磁盘 空间 存储 满了 容量 空き 満杯 용량 공간
upgrad bump updat migrat moderni newer lift aktualisier umstell anheb upgrade hochzieh migrier mettre passer migration actualiz subir migrar atualiz migracao aggiorn migra обнов подня переход мигра 升级 更新 迁移 升到 移行 上げ 올리
downgrad rollback revert undo back restor zuruck zuruckroll ruckgang revenir retour annul volver revertir deshac voltar reverter desfaz tornare annulla откат верну возвра 回滚 回退 还原 撤销 恢复 戻す 戻し 巻き 復元 復旧 롤백 되돌 복구
version releas major minor tag ausgabe stand lanzamient versao lancament versione rilasci верси релиз выпуск 版本 发布 发版 버전 배포
deploi rollout ship releas publish deliv prod ausroll ausliefer veroffentlich bereitstell deploy deploie livr publier desplieg desplegar despliegue publicar implant entrega publica rilasc distribu выкат деплои разверн публик 部署 上线 发布 发版 配备 公開 本番 配布 배포 출시 운영
restart reboot reload bounc recycl neustart neu redemarr relanc reinici rearranc reinicia riavvi перезапуск рестарт перезагр 重启 重新 再起 재시 재기
cach buffer stale memo zwischenspeich veraltet cache perime obsolete obsolet almacen caduc desatualiz кэш кеш устаре 缓存 过时 旧的 古い 캐시 오래
queue backlog buffer channel broker topic warteschlang schlange puffer attente cola encolad fila coda очеред 队列 积压 待ち 대기
retri resend repeat attempt redeliv again replai wiederhol erneut versuch retenter reessai renvo tentative reintent reenvi reintenta retentativa tenta riprov tentativ ritent повтор попытк ретра 重试 重发 重传 再试 再送 再試 재시 재전
price monei amount cent currenc cost fee total preis betrag geld waehr kosten summe gebuhr prix montant argent somme frais precio importe dinero coste preco valor dinheiro custo prezzo importo soldi цен сумм деньг копе стоим 价格 金额 费用 总额 金額 価格 料金 合計 가격 금액 비용 정산 합계
round precis decim float fraction runden rundung gerundet nachkomma kaufman arrond decimal precision redonde arredond arrotond округл дроб копеек 四舍 精度 小数 取整 舍入 丸め 端数 반올 소수
login authent signin password credenti sso session auth account anmeld passwort kennwort zugang konto connexion passe compte authentif contrasena sesion inicio cuenta senha acesso conta autentic accesso парол вход логин авториз учетн 登录 密码 认证 账号 账户 認証 인증 계정 비밀
permiss access allow role right privileg acl forbidden berecht zugriff recht rolle droit acces autoris permiso acceso derech acesso direito permess accesso прав доступ роль разреш 权限 访问 角色 権限 許可 권한 접근
secret token kei credenti certif vault schlussel geheim zertifikat cle jeton clave secreto chave segredo chiave segret ключ секрет токен 密钥 令牌 秘密 证书 証明 비밀 열쇠 토큰
custom client user partner tenant merchant patient subscrib kunde kunden nutzer benutzer mandant anwender utilisateur abonne cliente usuario socio clientes usuarios utente клиент пользов заказчик партн 客户 用户 租户 商户 门店 顧客 利用 고객 사용 회원 유저
vendor supplier thirdparti extern upstream provid carrier lieferant anbieter hersteller dienstleist fournisseur prestataire proveedor externo fornecedor provedor fornitore поставщ внешн сторонн 供应 厂商 第三 上游 外部 業者 提供 외부 업체 공급
server host machin instanc node vm box rechner maschine knoten serveur machine noeud servidor maquina nodo equipo macchina сервер машин узел хост 服务 机器 节点 主机 서버 장비 노드
contain pod imag docker registri abbild behaelt conteneur image contenedor imagen conteiner imagem contenitore immagin контеинер образ под 容器 镜像 파드
cluster kubernet kubelet helm node namespac grappe кластер 集群
databas sql postgr mysql tabl db sqlite schema datenbank tabelle donnees table datos tabla banco dados tabela database dati tabella баз данн таблиц бд 数据
index queri plan scan lookup explain abfrage requete indice consulta ricerca запрос индекс 查询 索引 查找 検索 조회 쿼리 색인
lock mutex semaphor race concurr parallel simultan atom contend sperre gesperrt gleichzeit nebenlauf wettlauf verrou concurren course parallele bloqueo carrera paralel trava concorren corrida блокир гонк параллел одновремен конкур 并发 同时 竞争 并行 互斥 竞态 競合 同時 並行 排他 동시 경쟁 잠금 병렬
thread coroutin worker goroutin task job async faden aufgabe tache hilo tarea trabajo tarefa attivit поток задач воркер 线程 协程 任务 작업 워커
test specif suit pytest jest spec assert coverag pruf getestet testfall essai epreuve prueba pruebas teste testes prova verific тест проверк спек 测试 用例 单测 試験 検証 시험
stub mock fake doubl simul attrappe nachgebaut bouchon factice simulacr falso simulad finto заглушк мок 模拟 모의
depend packag librari modul crate gem jar sdk plugin abhang paket bibliothek dependanc paquet bibliothe dependencia paquete biblioteca libreria dependenc pacote dipenden pacchett зависим пакет библиот модул 依赖 模块 依存 의존 모듈
instal add pull setup einricht installier hinzufug installer ajouter instalar anadir agregar adicionar instala aggiung установ добав 安装 添加 加上 引入 入れ 追加 導入 설치 추가 도입
configur option valu paramet flag tune knob default env einstell konfig wert schalter vorgab reglage parametr valeur defaut configuracion ajuste valor parametro opcion defecto configurac opcao padrao impostaz valore configuraz predefin настро параметр значен опци умолч конфиг 配置 设置 参数 选项 默认 設定 既定 引数 설정 옵션 기본
environ variabl stage umgebung variable environnement entorno ambiente окружен переменн 环境 变量 環境 変数 환경 변수
renam name call naming titl umbenenn heisst nennen bezeichn renomm nomm appel nombre llamar renombr nome renomear chamar rinomin имя назва переимен 命名 名字 名称 改名 名前 이름 명명
merg squash rebas integr zusammenfuhr fusion fusionn mezclar mescl слия слить 合并 合入 統合 병합 머지
commit messag ticket changelog git nachricht message mensaje confirma mensagem messaggi коммит сообщен тикет 提交 消息 信息 工单 커밋 티켓
branch pr pull request mr zweig branche rama ramo ветк ветв 分支
review comment find feedback audit inspect durchsicht bewert anmerk revue relecture remarque avis revision coment hallazgo revisao achado revisione osservaz ревью замеч провер 评审 审查 意见 检查 指摘 監査 確認 리뷰 지적 검토 감사
approv sign certifi permiss confirm accept genehmig freigab freigeb absegn zustimm fragen approuv valid accord demander aprob aprueba permiso preguntar aprov pergunt aprova chiedere approvaz одобр соглас утверд спрос 批准 同意 审批 确认 承認 確認 許可 聞く 승인 확인 허락 동의 물어
document readm runbook wiki guid manual note doku handbuch anleitung dokument documentation manuel guide notice documentac guia documento nota documentaz документ инструкц описан 文档 说明 手册 記録 文書 手順 資料 문서 설명 매뉴
log trace audit record journal histori output print protokoll ausgab verlauf historique registro bitacora historial historico storico traccia лог журнал запис истори 日志 记录 历史 审计 記録 履歴 로그 기록 이력
monitor alert probe health check live readi page alarm notifi metric dashboard uberwach warnung meldung surveill alerte sonde alarme supervis alerta monitoriz sonda monitora avviso монитор алерт оповещ мета пробы 监控 告警 报警 探针 健康 監視 警報 通知 알람 경보 알림
schedul cron job nightli timer period interv daily zeitplan nachts geplant taglich regelmass planif quotidien nuit programm tache programad tarea diari noche nocturn agend noite tarefa pianific nott giornal расписан ночн ежедн крон планир 定时 计划 每天 夜间 周期 定期 毎日 夜間 予定 예약 매일 야간 주기
time clock zone timezon utc hour local dst uhr zeit zeitzon stunde sommerzeit heure fuseau horloge temps hora reloj horari zona huso fuso relogio orario врем час зон пояс 时间 时区 时钟 小时 時刻 時間 時差 시간 시각
date dai deadlin calendar week month year datum kalender woche monat frist calendr semaine mois echeance fecha dia calendari semana data settiman mese giorno дат ден календ недел месяц срок 日期 日历 日付 期日 날짜 일자 요일 기한
mail email notif messag send sms push inform nachricht versand senden benachricht schicken courriel courrier envo avis correo mensaje aviso notific enviar envia mensagem invi messagg notifica avviso письм почт уведом сообщен отправ рассыл 邮件 通知 消息 发送 短信 推送 送信 配信 메일 알림 발송 전송 문자
file directori path folder datei ordner verzeichn pfad fichier dossier chemin repertoire archivo fichero carpeta ruta arquivo pasta caminho cartella percors фаил папк каталог путь 文件 目录 路径 파일 폴더 경로
encod charset utf8 mojibak unicod accent umlaut garbl zeichensatz kodier encodage caracter codificac acento carattere кодировк символ кракозябр 编码 乱码 字符 文字 문자 깨져
pars parser read reader interpret decod deseri einles lesen analys lecture analyser leer lectura analiz ler leitura leggere lettura читат разбор парс чтен 解析 读取 読み 読む 파싱 읽기 해석
write save store persist flush insert schreib speicher sicher ableg ecri enregistr sauvegard stock escrib guard almacen escrev salv grava grav scriv salva запис сохран хран 写入 保存 存储 落盘 書き 書込 저장 기록 쓰기
upload send push transfer submit hochlad ubertrag envo televers subir carga envi carreg carica invia загруз отправ выгруз 上传 发送 送信 전송
download fetch pull load retriev herunterlad laden telecharg recuper descarg obtener baixar buscar scaric скач загруз получ 下载 拉取 获取 取得 取る 가져
request call http api invok anfrage aufruf requete appel peticion llamad solicitud requisic chamad richiest chiamat запрос вызов 请求 调用 接口 要求 呼び 요청 호출
respons answer repli return statu code antwort ruckgab reponse retour renvo respuesta devuelve resposta devolv retorn rispost restitu ответ возвращ 响应 返回 应答 応答 返す 戻り 응답 반환
header field attribut properti kopfzeil feld entete champ cabecera campo cabecalh intestaz заголов пол 字段 属性 項目 헤더 필드 항목 속성
url link path rout endpoint redirect adresse verweis lien route enlace ruta direccion rota endereco collegament indirizz ссылк адрес маршрут 链接 地址 路由 跳转 経路 링크 주소 경로
proxi gatewai loadbalanc nginx ingress lb lastverteil passerelle mandataire equilibr balance proxy балансир шлюз прокси 代理 网关 负载 負荷
network connect socket port tcp offlin netz verbind anschluss reseau connexion conexion rede conexao rete conness сет соединен подключ порт 网络 连接 端口 断网 接続 通信 回線 연결 접속 통신 포트
certif tl ssl signatur sign hmac zertifikat unterschr certificat signature firma certificad assinatur подпис сертиф 证书 签名 署名 証明 서명
encrypt cipher hash digest crypto verschlussel chiffr cifr encript cript хеш шифр 加密 哈希 摘要 暗号 암호 해시
licenc licens legal complianc gdpr privaci regul law lizenz recht datenschutz gesetz licence juridique conformit loi licencia privacidad juridic licenza legale privacy лиценз закон юрид персональн 许可 合规 法务 法律 隐私 法務 規約 個人 법무 규정 개인 법적
screen page view ui display show form render seite ansicht bildschirm anzeig maske oberflach ecran affich vue formulair pantalla pagina vista muestra formulari tela exib schermat mostra экран страниц показ форм 页面 界面 显示 展示 画面 表示 화면 표시
imag pictur photo pixel thumbnail bild foto image imagen imagem immagin изображ картин фото 图片 图像 照片 画像 写真 사진
size length big larg huge grow grosse gross wachs taille grand grandeur longueur grossit tamano grande crece tamanho cresce dimension размер больш раст длин 大小 长度 变大 体积 長さ 増え 크기 길이
maximum limit cap most upper quota thrott rate hochst grenze obergrenz maximal deckel limite plafond maximo tope maxim teto massim предел лимит максим огранич 上限 最大 限制 限流 制限 최대 한도 제한 상한
minimum least lower floor mindest untergrenz minimal moins minimo menos minim миним нижн 最小 至少 下限 最低 최소 하한
number count counter amount quantiti anzahl zahl menge nombre compte quantite numero cantidad cuenta quantidad contag quantit числ количеств счет 数量 个数 计数 编号 件数 個数 番号 개수 숫자 번호 건수
empti null nil undefin none blank missing absent leer fehlend nichts vide nul vaci nulo vazi ausente vuoto nullo assente пуст отсутств 为空 缺少 欠け 공백
wrong incorrect bug break invalid bad corrupt inconsist mismatch falsch fehlerhaft ungult abweich stimmt faux mauvais invalide ecart equivocad diferenci cuadra errad incorret diferenc sbagliat errat неверн неправ расход разниц 不对 无效 差异 間違 不正 合わ 잘못 틀린 불일 차이
allow permit okai erlaub darf durfen kann permis permet autoris peut puede pode puo permess можно разреш 允许 可以 许可 許可 可能 허용 가능
forbid never must prohibit ban deni reject verbot nie niemals muss interdi jamais doit refus prohib nunca debe rechaz proib deve rejeit vietat rifiut запре нельзя никогда отказ 禁止 不能 不许 拒绝 不要 拒否 不可 금지 거부 절대
reason caus becaus why root explain grund ursache warum weil raison cause pourquoi razon causa motivo porque razao ragion причин потому почему 原因 理由 因为 원인 이유 때문
team owner respons contact maintain belong zustand verantwort gehort ansprech equipe responsab propriet equipo dueno encarg contacto responsav dono contato squadra команд ответствен владел 团队 负责 归属 担当 責任 所有 담당 책임 소유
local laptop machin workstat develop lokal entwickler poste ordinateur portatil equipo maquina locale локал ноутбук 本地 本机 手元 開発 로컬 개발
shutdown drain grace termin down scale herunterfahr arret extinction apagad desligament arrest spegnim остановк 下线 缩容 关机 停止 縮小 종료 축소
ping heartbeat keepaliv lebenszeichen battement latido пульс 心跳 生存
record row entri item line tuple datensatz zeile eintrag ligne enregistr entree registro fila entrada linea linha riga voce строк запис 记录 条目
column field attribut spalte colonne columna coluna colonna колонк столб 字段 컬럼
order purchas checkout basket cart bestell auftrag warenkorb kauf commande panier achat pedido compra carrito carrinho ordine acquist carrello заказ покуп корзин 订单 购买 购物 注文 購入 주문 구매
invoic bill receipt statement payment pai charg rechnung beleg zahl bezahl facture recu paiement payer factura recibo pago cobro fatura pagament cobranc fattura ricevut счет чек оплат платеж 发票 账单 付款 支付 收费 請求 領収 支払 決済 청구 결제 영수 지불
refund cancel return chargeback erstatt storn rucksend rembours annul reembols devoluc estorno rimbors annull возврат отмен 退款 取消 退货 返金 返品 환불 취소 반품
coupon promo discount voucher campaign rebat gutschein rabatt aktion remise reduction cupon descuent promocion cupom descont promoc buono sconto promoz купон скидк промокод акци 优惠 折扣 活动 割引 特典 쿠폰 할인 행사
tax vat duti steuer mwst ust umsatzsteuer taxe tva impuesto iva imposto налог ндс 税率 消費 税込 세금 부가
warehous stock inventori item shelf lager bestand inventur artikel inventaire entrepot almacen inventari existenc estoque inventar armazem magazzin giacenz склад остат инвентар 库存 仓库 盘点 在庫 倉庫 棚卸 재고 창고
appoint booking reserv schedul slot termin buchung rendez cita reserva turno consulta appuntament prenot запис брон прием 预约 预订 予約 예약
attach document pdf enclosur upload anhang anlage beilage piece jointe adjunt anexo allegat вложен прикреп 附件 添付 첨부
tablet phone ipad mobil devic handset app gerat handy telefon appareil telephone mobile tablette dispositiv telefono movil tableta aparelh celular устроиств телефон планшет 设备 手机 平板 终端 端末 携帯 機器 기기 단말 휴대
share common multipl togeth several geteilt gemeinsam mehrere partag commun plusieurs compart comun varios comparti comum condivis общ совмест нескольк 共享 共用 多个 共有 共通 複数 공유 공용 여러
check verifi valid assert ensur confirm pruf sicherstell verifiz control comprob verific conferir controll провер убед 校验 检查 验证 検証 確認 点検 검증 확인 검사
fix repair patch correct mend workaround hotfix solv resolv beheb repar korrig flick losung corrig resolu correctif arregl solucion consert corregg risolv исправ почин решен обход 修复 修正 解决 补丁 绕过 直す 対処 回避 対応 고치 수정 해결 우회
chang modifi edit alter adjust touch rewrit ander geandert anpass bearbeit toucher cambi modific tocar ajust mudar mexer изменен менят правк трога 修改 改动 变更 调整 変更 変え 触る 調整 바꾸 변경 수정 건드
replac swap substitut switch exchang instead ersetz tausch wechsel umstell statt remplac substitu chang plutot reemplaz sustitu cambi vez troca sostitu invece замен вместо перекл 替换 换成 切换 代替 置き 代わ 差し 대체 교체 전환 대신
split divid separ extract break apart chunk aufteil trenn teilen zerleg ausgelagert decoup sepa divis extra trocear estra раздел разбит выдел 拆分 分割 分离 提取 分け 분리 나누 분할 추출
combin join concat aggreg group batch bundl zusammen bundel grupp verbind regroup ensemble agrup junta lote junt raggrupp insieme объедин групп пакетн 合并 分组 批量 组合 聚合 結合 一括 集約 묶어 합쳐 일괄 그룹
copi clone duplic replic mirror backup snapshot kopie kopier sicherung spiegel copie clon sauvegarde copia respaldo копи клон резерв зеркал 复制 备份 拷贝 镜像 快照 複製 写し 控え 복사 복제 백업
sort order rank sequenc posit arrang sortier reihenfolge ordnung ordre trier orden ordenar ordem ordin порядок сортир очередн 排序 顺序 次序 並び 順序 順番 정렬 순서
filter search find query match look finden filtr cherch recherch busca encontr procura cerca trov поиск иска фильтр наит 过滤 搜索 查找 筛选 检索 絞り 検索 探す 검색 필터 찾기
counter metric statist measur benchmark profil messung gemess zahler kennzahl mesure mesur metri medid medic misur измер метрик замер 测量 指标 统计 基准 計測 測定 指標 統計 측정 지표 통계
threshold toler margin schwell toleranz seuil marge umbral margen limiar margem soglia margine порог допуск 阈值 容差 閾値 許容 임계 허용
default fallback initi start begin standard anfang vorbeleg initial defaut depart inicial defecto empez padrao comec inizial predefinit начальн умолчан 默认 初始 开始 初期 既定 開始 始め 초기 기본 시작
edg corner border boundari seam margin halo kante grenze naht bord frontier couture borde frontera costura borda fronteir costur bordo confin границ кра шов 边界 边缘 接缝 境界 継ぎ 경계 가장
hide show visibl reveal expos public open verberg sichtbar offen anzeig visible ouvert ocult abiert escond visivel abert nascost visibil apert скры види открыт публичн 隐藏 显示 公开 可见 隠す 公開 숨기 공개
turn on enabl activ switch start einschalt aktivier freischalt allum active encend habilit ativ lig attiv accend включ актив запуст 启用 打开 开启 激活 有効 起動 켜기 활성 가동
turn off disabl deactiv switch stop abschalt deaktivier ausschalt desactiv eteind apag deshabilit desativ deslig desabilit disattiv spegn отключ выключ деактив 关闭 禁用 停用 无效 無効 停止 끄기 비활 중지
parent child inherit overlai overrid extend basis ableit uberschreib eltern erbt herit surcharg hered sobrescrib padre herd sobrescrev eredit sovrascriv базов наслед переопред 继承 覆盖 基础 継承 上書 상속 덮어 부모
wait sleep pause delai backoff postpon later defer wart paus spater verzoger attend tard repouss esper pausa despues aplaz depois adia aspett dopo rinvia жд подожд пауз позж отлож 等待 暂停 稍后 延后 推迟 待つ 待機 後で 延期 기다 대기 나중 연기
permanent durabl surviv persist safe guarante dauerhaft sicher garant uberleb garanti survi duradero garantiz seguro sobreviv durav segur durevol garantit sicur надежн гарант сохран безопас 持久 保证 安全 可靠 永続 保証 영구 보장 안전
power outag cut interrupt disconnect down unavail incid stromausf ausfall unterbrech storung vorfall panne coupure interromp incident apagon corte caida incidente queda interrup interruz guasto авари сбои отключ инцидент прерв 停电 断电 中断 故障 事故 停電 切断 障害 정전 장애 중단 사고
`;
