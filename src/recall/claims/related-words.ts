/**
 * Words that people use for the same thing when they talk about software, in the form that the index has them in, a row
 * for each thing. A colleague says "the service died" where the memory says "the process was killed". Only what claims
 * are ordered by: search does not use it.
 */
const ROWS = `
timeout deadlin expir limit
delet drop purg wipe eras discard clean rid
slow latenc perform lag delai
fast quick speed
crash fail break die abort panic except
kill termin stop shutdown sigkil sigterm
error failur except fault
freez hang stall stuck block deadlock
duplic twice doubl repeat again
lose miss vanish disappear go drop
memori ram heap oom leak
disk storag volum space full
upgrad bump updat migrat
downgrad rollback revert undo back
version releas major minor
deploi rollout ship releas publish
restart reboot reload bounc
cach buffer
queue backlog buffer channel
retri resend repeat attempt redeliv
price monei amount cent currenc cost
round precis decim float
login authent signin password credenti
permiss access allow role right
secret token kei credenti
custom client user partner
vendor supplier thirdparty
server host machin instanc node
contain pod imag docker
cluster kubernet kubelet
databas sql postgr mysql tabl
index queri plan scan
lock mutex semaphor race concurr parallel
thread coroutin worker goroutin
test specif suit pytest jest
stub mock fake doubl
depend packag librari modul crate gem
instal add pull
configur set option valu paramet flag
environ variabl
renam name call
merg squash rebas
commit messag ticket
branch pr
review comment find
approv sign certifi permiss ask
document readm runbook
log trace audit
monitor alert probe health check live
schedul cron job nightli timer
time clock zone timezon utc
date dai deadlin
night hour morn
mail email notif messag send
file directori path
encod charset utf8 mojibak unicod
pars parser read reader
write save store persist
upload send push
download fetch get
request call http
respons answer repli
header field
url link path rout endpoint
address ip
proxi gatewai loadbalanc nginx
network connect socket
certif tl ssl
encrypt cipher hash digest
licenc licens legal
screen page view
imag pictur
old legaci deprec
new brandnew fresh
size length big larg
maximum limit cap most
minimum least
number count counter amount
empti null nil undefin none blank
wrong incorrect bug break
allow permit mai can
forbid never must
reason caus becaus why
team owner respons who ask
customerfacing live product
stage testsystem
local laptop machin
shutdown drain grace termin
ping heartbeat
record row entri
column field
order purchas
invoic bill
refund cancel
coupon promo discount
`;

/** The rows with a space around every term. */
const PADDED = ROWS.replaceAll('\n', ' \n ');

/** Other terms for the same things. The rows are searched as text: a hook asks for a dozen terms, once. */
export function findRelatedTerms(terms: string[]): string[] {
  const found = new Set<string>();
  for (const term of terms)
    for (let at = findTerm(term, 0); at >= 0; at = findTerm(term, at + 1)) {
      const row = PADDED.slice(PADDED.lastIndexOf('\n', at) + 1, PADDED.indexOf('\n', at));
      for (const other of row.trim().split(' ')) if (!terms.includes(other)) found.add(other);
    }
  return [...found];
}

function findTerm(term: string, from: number): number {
  return PADDED.indexOf(` ${term} `, from);
}
