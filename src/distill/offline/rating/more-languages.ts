/**
 * The same small words as in markers.ts of more languages, fewer of each: Hindi, Arabic, Persian, Hebrew, Ukrainian, Czech,
 * Swedish with Danish and Norwegian, Vietnamese, Indonesian.
 */
export const MORE_LANGUAGES = {
  cause:
    'क्योंकि|इसलिए|इसीलिए|वजह|कारण|ताकि|لأن|لأنه|لأنها|لأنّ|لذلك|ولذلك|بسبب|السبب|لكي|حتى لا|مما|چون|زیرا|بنابراین|دلیل|به خاطر|כי|לכן|בגלל|כדי|הסיבה|тому що|оскільки|через те|тому|отже|причин\\p{L}+|щоб|protože|takže|kvůli|příčin\\p{L}+|aby|eftersom|därför|fordi|derfor|på grund av|på grunn av|så att|så at|orsak\\p{L}*|bởi vì|vì|nên|do đó|vì vậy|nguyên nhân|karena|sehingga|sebab|supaya|agar|penyebab\\p{L}*',
  reason:
    'क्योंकि|ताकि|वरना|لأن|لأنه|لأنها|حتى لا|وإلا|چون|زیرا|وگرنه|כי|אחרת|тому що|бо|оскільки|щоб|інакше|protože|aby|jinak|eftersom|fordi|annars|ellers|bởi vì|vì|nếu không|karena|supaya|kalau tidak',
  contrast:
    'बजाय|की जगह|के बदले|بدلاً|بدلا|بدل|عوضاً|به جای|به‌جای|במקום|замість|místo|nikoli|istället|i stället|i stedet|thay vì|alih-alih|daripada|bukannya',
  but: 'लेकिन|मगर|हालाँकि|हालांकि|لكن|ولكن|لكنه|لكنها|إلا|رغم|اما|ولی|אבל|אולם|אך|למרות|але|проте|однак|хоча|ale|však|avšak|ačkoli|men|nhưng|tuy nhiên|mặc dù|tapi|tetapi|namun|meskipun',
  obligation:
    "हमेशा|कभी|सिर्फ़|सिर्फ|केवल|ज़रूरी|जरूरी|चाहिए|मत|होगा|पड़ेगा|يجب|لا يجوز|ممنوع|دائماً|دائما|أبداً|أبدا|فقط|لا بد|ينبغي|على الأقل|باید|نباید|همیشه|هرگز|فقط|حتما|حتماً|חייב\\p{L}*|אסור|תמיד|אף פעם|רק|לפחות|צריך|треба|потрібно|не можна|ніколи|завжди|тільки|лише|повин\\p{L}+|обов'язково|musí|nesmí|nikdy|vždy|pouze|jenom|je třeba|alespoň|måste|aldrig|aldri|alltid|altid|endast|bara|kun|skal|phải|luôn|chỉ|không được|ít nhất|harus|jangan|selalu|hanya|wajib|tidak boleh",
  condition:
    'अगर|यदि|जब|जब तक|إذا|وإذا|فإذا|لو|عندما|طالما|ما لم|إن لم|اگر|وقتی|تا وقتی|אם|כאשר|עד ש\\p{L}*|якщо|коли|поки|інакше|pokud|když|jestli\\p{L}*|dokud|när|når|hvis|ifall|såvida|nếu|khi|trừ khi|jika|kalau|ketika|selama',
  negation:
    'नहीं|मत|बिना|कोई नहीं|لا|ولا|فلا|ليس|ليست|لم|ولم|لن|غير|بدون|دون|بلا|نیست|نه|نمی\\p{L}*|بدون|לא|אין|בלי|ללא|немає|ніхто|нічого|není|nejsou|nemá|žádn\\p{L}+|inte|ikke|ingen|inga|ingenting|utan|uden|uten|không|chưa|chẳng|tidak|bukan|belum|tanpa',
  guess:
    'शायद|लगता है|संभवतः|ربما|يبدو|أظن|أعتقد|على الأرجح|شاید|به نظر|احتمالا|احتمالاً|אולי|כנראה|נראה ש\\p{L}*|можливо|мабуть|ймовірно|здається|možná|asi|pravděpodobně|zřejmě|kanske|måske|kanskje|troligen|sannolikt|có lẽ|có thể|chắc là|mungkin|sepertinya|barangkali',
  refutation:
    'वजह नहीं|कारण नहीं|ग़लत|गलत|ليس السبب|ليست السبب|خطأ|مستبعد|لا علاقة|اشتباه|علت نیست|לא הסיבה|שגוי|не причина|хибн\\p{L}+|ні до чого|není příčin\\p{L}+|vyloučen\\p{L}+|chybn\\p{L}+|inte orsaken|ikke årsagen|uteslut\\p{L}+|fel|không phải nguyên nhân|bukan penyebab\\p{L}*|salah',
  choice:
    'चुना|चुनी|चुनूँगा|तय किया|जानबूझकर|اخترت|اخترنا|قررت|قررنا|فضلت|عمداً|انتخاب کرد\\p{L}*|تصمیم|عمدا|בחרתי|בחרנו|החלטתי|החלטנו|בכוונה|обрав|обрали|вирішив|вирішили|навмисно|zvolil\\p{L}*|rozhodl\\p{L}*|záměrně|valde|valgte|beslutade|bestämde|medvetet|bevisst|chọn|quyết định|cố ý|memilih|pilih|memutuskan|sengaja',
  deed: 'अब(?! भी)|जोड़ा|हटाया|बदला|कर दिया|الآن|أضفت|أضفنا|حذفت|غيّرت|غيرت|أصلحت|اکنون|حالا|اضافه کرد\\p{L}*|תיקנתי|הוספתי|שיניתי|עכשיו|тепер|додав|додано|змінив|виправ\\p{L}+|nyní|přidal\\p{L}*|změnil\\p{L}*|opravil\\p{L}*|la till|lade till|ändrade|tilføjede|la til|fikset|rettet|đã (thêm|sửa|đổi|xóa)|bây giờ|sekarang|menambahkan|mengubah|menghapus',
  open: 'बाक़ी|बाकी|अभी भी|अभी तक|متبقي|يبقى|لم يتم بعد|ما زال|لا يزال|مانده|هنوز|נותר|עדיין|залишилось|залишається|ще не|zbývá|ještě ne|återstår|kvarstår|ännu inte|mangler|endnu ikke|ennå|còn lại|vẫn còn|chưa|masih|tersisa|belum',
  standing:
    'हमेशा|कभी नहीं|आगे से|अब से|हमारे यहाँ|हमारे यहां|हम लोग|नियम|دائماً|دائما|أبداً|أبدا|من الآن|عندنا|لدينا قاعدة|قاعدة|سياسة|نحن لا|همیشه|هرگز|از این به بعد|در تیم ما|תמיד|אף פעם|מעכשיו|אצלנו|завжди|ніколи|відтепер|у нас|надалі|vždy|nikdy|od teď|u nás|napříště|alltid|altid|aldrig|aldri|hos oss|hos os|från och med nu|fra nu av|luôn luôn|không bao giờ|từ giờ|bên mình|bên em|selalu|jangan pernah|mulai sekarang|di tim kami|di sini kami',
};
