/** Characters of the word lists, which are in simplified Chinese, each with its traditional form. */
const PAIRS =
  '两兩个個为為么麼从從们們会會体體余餘决決准準则則创創删刪别別办辦务務动動区區却卻变變后後吗嗎团團处處备備复復实實对對导導并並应應开開弃棄当當录錄怀懷总總惯慣愿願报報择擇换換数數断斷无無时時权權条條构構样樣检檢没沒测測溃潰点點烦煩现現确確约約终終经經结結继繼续續绿綠编編虽雖规規计計认認让讓记記许許论論设設证證诉訴译譯试試话話该該误誤说說请請读讀调調谢謝败敗赖賴边邊过過运運还還这這远遠选選遗遺释釋里裡错錯问問队隊随隨须須题題项項验驗装裝于於舍捨采採气氣范範来來';

const traditionalOf = new Map(
  Array.from(PAIRS.matchAll(/(.)(.)/gu), ([, simplified, other]) => [simplified, other]),
);

/** A pattern that also finds its words in traditional Chinese. It has no Chinese in square brackets. */
export function withTraditional(pattern: string): string {
  return pattern.replace(/\p{Script=Han}/gu, (character) => {
    const other = traditionalOf.get(character);
    return other === undefined ? character : `[${character}${other}]`;
  });
}
