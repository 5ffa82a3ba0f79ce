/**
 * Verbs that begin an order, in languages that put the verb there, as people type them in lower case. Looked up word by
 * word: as one pattern they take a hook 5 ms to compile.
 */
const VERBS = `
add write create make generate implement rename convert replace remove translate update upgrade bump switch format draft
sort split fix raise draw run configure adjust hide move rotate localize localise color colour delete extend increase
reduce enable disable refactor investigate check put wire
füge schreib bau leg lege benenne ergänze entferne übersetze ersetze stell aktualisiere mach zeig prüf prüfe änder ändere
lösch lösche schau pass passe nimm setz setze richte
ajoute écris renomme mets supprime traduis rends crée vérifie montre fais passe regarde corrige branche change remplace
enlève déplace génère active désactive
añade agrega escribe renombra configura quita pon traduce haz hazme prepárame actualiza sube revisa necesito cambia mira
elimina borra arregla genera crea mueve activa investiga
adiciona coloca escreve renomeia remove traduz faz atualiza cria preciso mostra muda altera apaga gera arruma troca ajusta
verifica
aggiungi scrivi rinomina togli rimuovi traduci metti aggiorna fai controlla correggi guarda sposta sistema sistemalo
sistemala
voeg schrijf maak hernoem verwijder vertaal zet werk verander vervang controleer kijk
dodaj napisz zmień usuń przetłumacz zrób zaktualizuj popraw zamień sprawdź przenieś ustaw
přidej napiš uprav oprav změň smaž odstraň zkontroluj přejmenuj
skriv byt ändra fixa kolla uppdatera tilføj fjern opdater oppdater endre tjek sjekk
lisää kirjoita muuta korjaa poista päivitä tarkista adaugă scrie schimbă șterge actualizează repară
írd javítsd töröld frissítsd nézd thêm viết nâng sửa đổi xóa tạo tambahkan buat buatkan perbarui ubah hapus perbaiki
ganti periksa
добавь напиши переименуй настрой убери сделай переведи обнови покажи проверь оформи нужно нужна нужен нужны исправь
поправь удали замени поменяй посмотри создай подключи
додай зроби онови виправ видали заміни перевір створи налаштуй перейменуй
أضف اكتب غيّر غير حدّث احذف أنشئ اعمل
πρόσθεσε γράψε άλλαξε διόρθωσε κοίτα αφαίρεσε σβήσε φτιάξε ενημέρωσε μετονόμασε βάλε βγάλε δες κάνε
תוסיף תכתוב תשנה תתקן תמחק תבדוק תעדכן תוריד הוסף כתוב שנה תקן מחק בדוק עדכן צור
`;
const TWO_WORDS = [
  ...[
    'set up',
    'turn on',
    'let the',
    'show me',
    'i need',
    'clean up',
    'look at',
    'look into',
    'have a',
    'take a',
  ],
  ...[
    'mi scrivi',
    'mi fai',
    'mi crei',
    'mi aggiungi',
    'dá uma',
    'lägg till',
    'ta bort',
    'legg til',
    'cập nhật',
  ],
  'kiểm tra',
];
const ORDERS: ReadonlySet<string> = new Set([...VERBS.trim().split(/\s+/), ...TWO_WORDS]);
/** Chinese has no spaces between words. */
const BEGINNINGS = ['给', '写', '把', '删', '加', '帮', '配置', '接入', '查一下'];
const POLITE: ReadonlySet<string> = new Set(['please', 'bitte', 'and', 'und']);
const CLAUSE_END = /[,;:.!，。；]\s*/;

/** Whether a clause of the text begins as an order does: "the logo is blurred, replace it". In lower case. */
export function hasOrder(text: string): boolean {
  return text.split(CLAUSE_END).some((clause) => {
    const [first = '', second = '', third = ''] = clause.split(/\s+/, 3);
    const [verb, next] = POLITE.has(first) ? [second, third] : [first, second];
    if (ORDERS.has(verb) || ORDERS.has(`${verb} ${next}`)) return true;
    return clause >= '\u4e00' && BEGINNINGS.some((beginning) => clause.startsWith(beginning));
  });
}
