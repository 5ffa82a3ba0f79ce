/**
 * What people say about anything, and what is part of any program, in the form that the index has it in. A project of
 * thirty claims takes each of these for a rare word. Search learns from its own documents what is common, and has a
 * shorter list of its own.
 */
const TERMS = `
accept access defin entri select valid
abl actual addit afraid ago almost alon along alreadyknown amount anyth anywai anywher apart api area around ask
attempt attent autumn avail awai awar background bad balanc basic becom begin behavior behaviour behind believ
belong benefit besid best beyond bigger biggest boss bottom brand bring busi cach care carri catch certain certainli
chanc cheap choos clear clearli close codebas cold colleagu column come command compani comparison complet condit
consid contain continu cost count coupl cours cover coverag cpu cross css csv curiou current cut dai damag dark
databas date deadlin deal decid deep degre depend deploi deploy describ detail detect differ difficult direct
directli dirti discuss disk doubl draw drive dry due earli easi eat effect effort eight either email end endpoint
enjoi enough enter environ equal especi eventu everi everybodi everyon everyth everywher exact exactli except experi
extra face fact fair fairli fall famili far favor feel fill final fine fit five flat follow forc foreign forev
forget form forward four framework free fresh fridai friend front full fun funni futur glad go goal group grow guess
gui half hand happen happi hard hardli hate head header hear heavi henc hide high histori hit hold home hope host
hot hour hous howev html http huge hurri hurt icon idea imag imagin immedi impact imposs increas inde indic inform
insid instanc instead intend interest intern involv job join jump keep kill kind label lack lai laptop late later
laugh lazi lead learn least leav left lend less lie life lift light like link lint listen live login lose loud love
low lower luck lucki machin main major manag manner mark matter maximum mayb mean meanwhil measur meet memori
mention mere middl midnight mind minimum minor minut mock modern moment mondai monei month mood morn mostli movement
narrow natur near nearbi nearli necessari neither network nevertheless night nine nobodi noon normal noth notic
nowher obviou odd offer offic often opinion ordinari origin otherwis outsid overal overview pai pair paper password
past pdf percent perfect perhap period person phone pick pictur piec pipelin plai plain plan pleasur plenti point
poor popular port posit possibl power pr practic prefer prepar present pressur prevent previou price principl privat
probabl product promis proper properli protect prove provid public pure qualiti quarter queri quick quickli quiet
quit rais rang rare rate rather raw reach reaction readi real realiz reason receiv recent recommend record reduc
refer refus regard regular relat remain rememb remind repeat repli report repositori repres rest result rich ride
ring rise risk roll room rough roughli round row rule safe sai sake saturdai scene search season seem seldom sell
sens separ seriou serv servic session seven sever shape share sharp shut side sight sign similar simpli sit situat
six skill skip slight slightli smart societi soft somebodi somehow someon someth sometim somewhat somewher soon
sorri sort sound sourc space speak special specif speed spend spot spring stabl stage stai stand standard statement
statu stick strang strict strong stuff stupid subject success sudden suddenli suggest summer sundai suppos sure
surpris surviv suspect sweet system tall task teach team ten tend term terribl theme thick thin thread three
throughout throw thu thursdai ticket tidi tini todai togeth token tomorrow tonight top topic total touch tough
toward trade troubl true trust truth tuesdai twice two typic typo ugli unabl unclear understand uniqu unknown unless
unlik upon url useless usual variou visit voic wake walk war wash wast watch water weak wear wednesdai week weekend
weight weird whatev whenev wherea wherev whether whole wide wild win window winter wise wish within wonder worker
world worri wors worst worth xml yaml year yesterdai young
`;

export const EVERYDAY_WORDS: ReadonlySet<string> = new Set(TERMS.trim().split(/\s+/));
