/**
 * The same for prompts in other languages: files, errors, changes, reasons, and what people do with them. Pairs of
 * characters for languages without spaces.
 */
const TERMS = `
datei dateien ordner funktion klass fehler anderung anderungen andern hinzufugen erganzen entfernen loschen
erstellen anlegen schreiben lesen aktualisieren starten stoppen anwendung projekt zweig startseit knopf benutz
nutzer daten namen wert zahl zeit tag frage grund unterschi erklaren zeigen sehen lokal letzt letzten neu neue neuen
alt erst ersten einstellung einstellungen prufen suchen finden benutzen verwenden brauchen anleitung beispiel stell
aufruf richtig falsch gross klein schnell langsam ide anfang woch monat jahr heut morgen kolleg leut meldung bild
zeil spalt tabel abfrag installieren einrichten aufbau aufgab ausgab eingab ubersetzen umstellen anpassen fichier
dossier fonction erreur changement modifi ajout supprim enlev creer ecrir lire lancer demarr arret projet depot
bouton utilisateur donne nom valeur nombr temporari jour raison expliqu montrer voir dernier nouveau nouvel ancien
premier reglag chercher trouver utilis besoin serveur exempl appel vrai faux grand petit rapid lent debut fin semain
anne collegu gen lign colonn requet structur tach sorti entre archivo carpeta funcion clase metodo fallo problema
cambio cambiar anadir quitar borrar crear escribir leer actualizar arrancar parar proyecto repositorio rama pagina
boton lista usuario dato valor numero tiempo dia pregunta razon diferencia explicar mostrar ultimo ultima nuevo
nueva viejo primero primera ajust comprobar buscar encontrar usar servidor ejemplo llamada verdad falso pequeno
rapido lento inicio semana ano companero gent mensaj texto imagen linea columna tabla consulta instalar estructura
tarea salida entrada punto aplicacion arquivo pasta funcao erro mudanca mudar adicionar tirar apagar criar escrev
ler atualizar iniciar projeto botao dado nome tempo pergunta razao diferenca novo nova velho primeiro primeira
verificar procurar achar exemplo chamada ideia fim colega mensagem imagem linha coluna tabela estrutura tarefa saida
ponto aplicacao coisa fica modelo фаил фаилы фаила папка функция функцию класс метод ошибка ошибку проблема
изменения изменение изменить добавить убрать удалить создать написать прочитать обновить запустить остановить проект
проекта репозитории ветка ветку страница страницу кнопка кнопку список пользователь пользователя данные имя значение
число время день вопрос причина разница объяснить показать посмотреть посмотри локально последнии последнюю новыи
новая новое старыи первыи первая настроика проверить наити использовать сервер пример вызов правильно большои
маленькии быстро медленно идея начало конец неделя месяц год коллега люди сообщение текст строка строку столбец
таблица таблицу запрос установить структура задача задачу вывод вход приложение коммит тест тесты код письмо 文件 目录
函数 方法 错误 问题 修改 改动 增加 添加 删除 创建 新建 编写 读取 更新 启动 停止 项目 仓库 分支 页面 首页 按钮 列表 用户 数据 名字 名称 数字 时间 原因 区别 解释 介绍 查看 本地 最后 上次 一次 旧的
第一 设置 配置 检查 查找 使用 服务 例子 调用 正确 快速 开始 结束 今天 明天 同事 消息 文本 图片 表格 查询 安装 结构 任务 输出 输入 程序 应用 提交 测试 代码 版本 支持 功能 运行 情况 手机 链接 登录
ファ ァイ イル フォ ォル ルダ 関数 クラ ラス メソ ソッ ッド エラ ラー 問題 変更 追加 削除 作成 起動 プロ ロジ ジェ ェク クト リポ ポジ ジト トリ ブラ ラン ンチ ペー ージ トッ ップ プペ ボタ タン
一覧 リス スト ユー ーザ ザー デー ータ 名前 時間 質問 理由 説明 表示 確認 最後 直前 新規 最初 設定 検索 サー ーバ バー 実行 開始 終了 今日 明日 今週 来月 メッ ッセ セー テキ キス 画像 テー ーブ
ブル クエ エリ イン ンス トー ール 構成 作業 出力 入力 アプ プリ コミ ミッ ット テス コー ード ジョ ョン 対応 機能 処理 必要 場合 画面 ログ スク クリ リプ プト 修正 調査 実装 部分 全部 現在 以前
リン ンク 仕様 開発 環境 파일 폴더 함수 클래 래스 메서 서드 에러 오류 문제 변경 사항 추가 삭제 제거 작성 생성 수정 업데 데이 이트 시작 중지 프로 로젝 젝트 저장 장소 브랜 랜치 페이 이지 버튼 목록
리스 스트 사용 용자 이터 이름 숫자 시간 질문 이유 차이 설명 표시 확인 마지 지막 처음 새로 설정 검색 서버 방법 실행 오늘 내일 이번 다음 메시 시지 텍스 이미 미지 테이 이블 쿼리 설치 구조 작업 출력
입력 커밋 테스 코드 버전 기능 처리 필요 경우 화면 로그 스크 크립 립트 정리 부분 전체 현재 이전 어디 어떻 있어 하려 취소 정도 가능 관련 내용 그냥 지금 바로 우리
viet xuat danh sach nhan khach them chay trang nang nhat phien hien thay sua xoa moi loi
`;

export const OTHER_EVERYDAY_WORDS: ReadonlySet<string> = new Set(TERMS.trim().split(/\s+/));
