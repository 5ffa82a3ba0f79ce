/**
 * Words of other languages that say how something is asked, in the form that the index has them in. In a store of ten
 * memories each of them would pass for a rare word.
 */
const WORDS = `
die war man van des bitt aber allem allen aller al ander auch auf au bei beim bin bi bitt bleibt da dabei damit dann dass dazu dein dem den
denn der de dich di dies diesem diesen dieser directori doch dort du durch ein einem einen einer eigentlich einfach
er es etwa euch fur ganz gegen gehen geht genau gern gerad gibt hab habe haben hat hatt hatten hier ich ihm ihn
ihnen ihr immer irgendwi ist ja jede jeden jeder jetzt kann kannst kein keinen konnen konnt konnten kurz lass machen
macht mal mehr mein mich mir mit mocht muss mussen nach nicht nix noch nochmal nun nur ob oder ohn schon sehr sein
seit sich sie sieht sind soll sollen sollt sollten sonst sowa spricht uber um und un unser unter viel vom von vor
wann waren warum weg wegen weil welch welcher wenn werd werden wie wieder wir wird wohl worden wurd wurden zu zum
zur zwischen afin ainsi alor apr aucun aussi autr aux avait avant avec avez avoir avon bien ca car ce cela cell
celui cet cett ceux chaqu chez comm comment deja depui doi doit donc ell en encor entr est et etait etaient etr eu
eux fait fair faut ici il je jusqu la le leur lui ma meme moi mon ne ni non notr nou ont ou par parc pa peu peut
peux plu pour pourquoi pui qu quand que quel quell qui quoi sa san se sembl si sont sou sur ta toi tou tout tre tu
version vo votr vou algo algun alguna alguno ant aqui aquel asi aunqu cada como con contra cual cuando cuanto del
desd dond el ella ello entonc era eran esa eso esta estaba estan estar esto estoi fue fueron ha haber habia han
hasta hai hace hacer listo lo mismo mucho mui nada nosotro nuestra nuestro otra otro para pero poco podemo por porqu
pued puedo pue quiero quien sea ser sido siempr sin sobr soi su tal tambien tan tanto tengo ti tien tienen todo una
uno va vamo vez ya yo ao aquela eat com dela dele depoi ela em essa ess estao foi foram isso isto lhe meu minha
muito na nao nem nossa nosso number numa pela pelo posso pra qual quando quem sao sem seu sua tambem tem tenho ter
uma voce agli alla anch ancora aver che chi continuous-integration cioe come cosa cosi dal dalla degli dei della
dell dello dove esser fare gia gli hanno ho io lei loro mia mio molto nei nel nella noi nostra nostro perch piu poi
puo quello questa questi questo sei senza sia siamo sono sta sul sulla suo tra tutti tutto vi voi aan bij dat deze
dit doen door een gaan heb hebben heeft het hij hoe hun ik kan kunnen maar meer meet mij mijn moet naar niet nog nu
om omdat onder onz ook op tot uit veel voor waar waarom wanneer wat wel welk wij wil zal ze zich zijn zo zonder zou
bez bo byc byl byla czy dla gdy gdzie jak jaka jako jego jej jest jeszcz juz kiedi kto ktori ktora ktore mam mnie
moge moze mozna nad nam nie nim od ona oni oraz po pod przed przez przy sobi tak taki tam tego tej tylko tym wiec za
zebi без более бы был была были было быть вам вас весь во вот все всего всех вы где да даже для до его ее еи если
есть еще же за здесь из или им их как какая какие какои ко когда кто ли лучше мне может можно мои моя мы на надо нам
нас не него нее нет ни них но ну об один он она они оно от очень по под после потом потому почему при про раз сам
свои себя сеичас со так такое такои там те тем то тоже только том тот ты уже хочу чего чем через что чтобы эта эти
это этого этои этом этот сделаи добавь обнови stp merci svp favor gracias 我们 你们 他们 可以 怎么 什么 为什 这个 那个 这样 那样 一下 帮我 应该
如果 因为 所以 但是 还是 就是 不是 没有 有没 已经 现在 的话 能不 不能 时候 直接 进行 一个 这些 那些 是否 需要 想要 行吗 么办 处理 看下 请帮 我想 要做
che chi cui dove come quando quanto quali quale perche perch anch ancora alla allo agli alle dal dalla dallo dai dagli del della dello dei
degli delle nel nella nello nei negli nelle sul sulla sullo sui sugli sulle con per tra fra uno una gli lo mi ci vi si ne questo questa
questi quest quello quella sono sei siamo siet era erano stato stata ha hai hanno abbiamo aver esser deve devo devono puo posso possono
fare fa fai gia poi cosi molto piu meno solo anche ogni tutto tutti nostra nostro het een van dat dit deze die wat waar waarom hoe wie
welk naar voor met bij uit over onder zijn heeft hebben kunnen moet moeten wordt worden niet geen ook nog maar als dan om te czy jak
dlaczego gdzie kiedy ktory ktora ktore jest sa byl byla bylo moge mozna mozemy trzeba nie tak tylko tez juz dla przez przy pod nad bez
bir bu su ve ile icin gibi nasil neden nerede hangi var yok mi mu daha cok ama degil
في من إلى على عن مع هذا هذه ذلك تلك التي الذي الذين هل ما ماذا لماذا كيف متى أين كم أي هو هي هم نحن أنا أنت كان
كانت يكون تكون قد لقد لم لن لا ليس أو ثم إذا لو لأن كل بعض غير بعد قبل عند بين حتى فقط أيضا يا وش ليش بدل كله
نفس اليوم الآن و در به از که این آن را با برای است هست بود شد شود می ها یا اگر تا چه چرا چگونه کجا کی تو شما او
آنها نیست باید של את על אל עם זה זאת אני אתה הוא היא אנחנו הם לא כן גם או אם כי מה למה איך מתי איפה כל יש אין
היה הייתה רק עוד אבל כבר में के का की को से पर ने है हैं था थे थी हो होता होती होना और या भी तो ही यह वह ये वो
इस उस एक कि जो जब तक लिए साथ बाद पहले क्या क्यों कैसे कब कहाँ कौन कितना कितने नहीं न मत कर करो करना करें करने
किया दो दे देना ले लो लूँ रहा रहे रही गया गई गए अब अभी मैं हम आप तुम मेरा हमारा अपना कुछ सब नए नया नई जाओ এবং ও
এর এই যে কি কে না হয় করে করা থেকে জন্য আমি আমরা তুমি আপনি তারা কেন কিভাবে কখন কোথায় একটি সেই o ki nered zaman
 sen biz siz onlar veya olan olarak sonra kadar bunu w z co lub jesli ten nasz zij och det att ar ett som
 av jag hon hur varfor nar vad till fran ocksa bara redan і та в у що це як з від чи або але якщо
коли чому де хто ми ви я він вона вони є був була було мені вже ще тільки треба v proc kdy kde pro s nebo kdyz
jsem jsou muzem jen uz tento yang ke dari itu untuk dengan tidak apa kenapa bagaimana kapan mana kita saya
kamu kami mereka atau juga sudah belum bisa haru akan pada adalah lagi saja cua khong cac nhung nai duoc
trong khi neu tai nhu dau chung phai cung και το τα η ο οι του της των στο στη στην σε με για απο που
πως γιατι ποτε τι δεν να θα ειναι ηταν εχει εχουμε μας σας μου ενα μια αυτο αυτη αν αλλα cu pe sunt cum cand
pentru din dar sau daca ea ei avem fost trebui doar
`;

export const OTHER_STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
