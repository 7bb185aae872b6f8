import type { FillerWords } from './fillers.ts';

/** Further languages in Latin letters; Swedish includes Danish and Norwegian, Romanian includes Hungarian. */
export const LATIN_FILLERS: Readonly<Record<string, FillerWords>> = {
  pl: {
    core: `tak ta no-tak okej oki dobrze dobra dobre dobry świetnie świetny super ekstra idealnie doskonale wspaniale fajnie pięknie
      znakomicie rewelacja dzięki dziękuję dziekuje dzieki zrozumiałem zrozumiałam zrozumiano rozumiem jasne jasna oczywiście
      pewnie zgoda zgadza zgadzam dokładnie prawda racja słusznie poprawnie naturalnie absolutnie zdecydowanie dalej następne
      następny następna kolejne kolejny kolejna kontynuuj kontynuujmy kontynuować proszę cześć hej witam witaj gotowe gotowy
      gotowa interesujące ciekawe może chyba prawdopodobnie spoko luz git lecimy jedziemy idziemy przejdźmy pomiń zaczynajmy
      całkowicie totalnie zupełnie zgadzamy wporządku okejka oki spox jasna-sprawa rozumiemy wiem wdzięczny super-super przyjęte potwierdzam ok
      rozsądne rozsądnie logiczne logicznie sensowne sensownie spójne potwierdzone przyjęto gratulacje brawo taak`,
    glue: `ja mi mnie my nam nas ty ci tobie pan pani państwo to ten ta te tego jest są był jestem na do w z ze za o i a więc teraz
      już bardzo wszystko wszystkie tu tam się możemy można może możesz pytanie pytania pytania temat punkt krok rzecz brzmi
      wygląda wydaje myślę sądzę pomysł też także jak tak po dla jeszcze tylko ślicznie serdecznie wielkie piękne ma sens
      następnego kolejnego następnej kolejnej pytania tematu punktu może pana pani twoja strony mojej naszej wszystkim wam dobra jeszcze razie tym tak taki właśnie jakie pasuje podoba odpowiada pomoc wyjaśnienie odpowiedź chodźmy przejść iść robimy róbmy jedno mam`,
    phrases: `nie ma problemu | nie ma sprawy | żaden problem | bez problemu | w porządku | wszystko w porządku |
      wszystko jasne | to wszystko | nic więcej | nic do dodania | brak pytań | nie mam pytań | ma sens | ma
      to sens | to ma sens | brzmi dobrze | dobry pomysł | dobre pytanie | zgadzam się | zgadza się | pełna
      zgoda | bardzo dziękuję | wielkie dzięki | następne pytanie | kolejne pytanie | proszę dalej | proszę
      kontynuować | idźmy dalej | lecimy dalej | jedźmy dalej | przejdźmy dalej | dzień dobry | dobry wieczór
      | dobranoc | do widzenia | do zobaczenia | na razie | chwileczkę | momencik | moment | chwila | nie
      dziękuję | nie dzięki | ma pan rację | ma pani rację | masz rację | co dalej | co teraz | jak
      najbardziej | nie ma za co | czemu nie | no dobra | no jasne | no pewnie | przyjąłem | przyjęłam | niech
      będzie |
      przejdźmy do następnego | przejdźmy do kolejnego | możemy iść dalej | możemy przejść dalej | możemy kontynuować | chodźmy dalej | proszę następne | proszę o następne pytanie | poproszę następne pytanie | poproszę kolejne | całkowicie się zgadzam | w pełni się zgadzam | też tak myślę | też tak uważam | tak właśnie | tak jest | tak samo | no tak | no właśnie | właśnie tak | właśnie | wszystko gra | wszystko się zgadza | wszystko dobrze | wszystko ok | brzmi świetnie | brzmi sensownie | brzmi rozsądnie | brzmi super | pasuje mi | mi pasuje | pasuje | odpowiada mi | podoba mi się | bez zastrzeżeń | bez uwag | nie mam uwag | nie mam zastrzeżeń | nie mam więcej pytań | to tyle | to by było na tyle | z mojej strony to wszystko | z mojej strony wszystko | dziękuję za pomoc | dziękuję za wyjaśnienie | dzięki za pomoc | dzięki wielkie | z góry dziękuję | miłego dnia | do jutra | do usłyszenia | jestem gotowy | jestem gotowa | zaczynajmy | możemy zaczynać | bardzo dobrze | bardzo dobre | świetny pomysł | świetne pytanie | jasna sprawa | rozumiem dziękuję | oczywiście że tak | no dobrze | w takim razie dalej |
      to rozsądne | to logiczne | to ma sens dla mnie | dobry plan | dobre podejście | dobre podsumowanie | dobry punkt | dobra robota | dobrze powiedziane | jestem za | jestem tego samego zdania | myślę tak samo | ja też | mnie też | nawzajem | jak chcesz | jak pan chce | jak pani chce | możesz kontynuować | można kontynuować | możemy lecieć dalej | czy możemy iść dalej | następny punkt | następny temat | jeszcze jedno pytanie | poproszę o następne | poproszę o kolejne pytanie | zadaj następne pytanie | a potem | a teraz | i co dalej | co jeszcze | bardzo ciekawe | bardzo pomocne | bardzo jasne | to pomaga | wystarczy | to wystarczy | aha | aha rozumiem | ah rozumiem | no ok | no okej | tak tak | tak dokładnie | tak proszę | tak oczywiście | tak myślę | mniej więcej | żadnych pytań | brak uwag | wszystko w porządku dzięki | wszystko poprawne | na razie wszystko jasne | to prawda | to się zgadza | prawda`,
    alone: 'nie nic',
  },
  cs: {
    core: `ano jo jasně jasné dobře dobrá dobrý super skvěle skvělé výborně výborné perfektní perfektně paráda fajn díky děkuji děkuju
      rozumím chápu pochopil pochopila přesně správně pravda souhlasím souhlas určitě samozřejmě jistě rozhodně dál dále
      pokračuj pokračujte pokračujme další ahoj čau zdravím hotovo připraven zajímavé možná asi pravděpodobně prosím platí`,
    glue: `já mi mně my nám ty vy vám to ten ta je jsou byl na do v z se si o a i tak teď už velmi moc všechno vše tu tady můžeme otázka otázku
      otázce téma krok zní vypadá zdá myslím nápad taky ještě jen pojďme jdeme`,
    phrases: `v pořádku | není problém | žádný problém | bez problému | moc děkuji | děkuji moc | mnohokrát děkuji |
      dává to smysl | dává smysl | zní to dobře | dobrý nápad | další otázka | další otázku | pojďme dál |
      jdeme dál | co dál | to je vše | nic dalšího | dobrý den | dobré ráno | na shledanou | máte pravdu | máš
      pravdu | jo jasně | tak jo |
      můžeme pokračovat | můžeme jít dál | přejděme dál | přejděme k další otázce | přejděme na další otázku | naprosto souhlasím | úplně souhlasím | souhlasím s tím | to zní dobře | to zní skvěle | to je jasné | je to jasné | všechno jasné | vše jasné | bez námitek | nemám otázky | žádné otázky | děkuji za pomoc | hezký den | jsem připraven | jsem připravená | velmi dobře | to sedí | přesně tak | dobrá otázka | to dává smysl`,
    alone: 'ne nic',
  },
  sv: {
    core: `ja japp jo jajamän absolut okej bra toppen perfekt utmärkt fantastiskt härligt underbart tack förstår förstått uppfattat
      klart tydligt precis exakt korrekt rätt stämmer instämmer självklart naturligtvis givetvis säkert visst gärna fortsätt
      fortsätta nästa vidare hej hejsan tjena redo färdig intressant kanske troligen kör god takk tak fint greit godt flott supert
      selvfølgelig naturligvis enig forstår forstått fortsett fortsæt neste næste videre jep jepp mange klar dejligt modtaget
      nettopp nemlig akkurat rigtigt riktig enige skönt skit-bra toppen lysande`,
    glue: `jag mig vi oss du dig ni er det den detta de är var har med för på till i av och så då nu också väldigt mycket allt alla här där
      kan låt lät låter ska gå går fråga frågan frågor spørgsmål spørsmål punkt ämne steg verkar tycker tror idé idén snälla jeg mig
      meg os oss er lyder høres ud ut lad la mye meget alt gå os det tusen hjärtligt`,
    phrases: `inga problem | inget problem | ingen fara | ingen orsak | inga frågor | inga invändningar | tack så
      mycket | stort tack | tusen tack | det stämmer | jag förstår | jag håller med | håller med | låter bra |
      låter rimligt | det låter bra | god idé | bra idé | bra fråga | nästa fråga | gå vidare | vi går vidare
      | fortsätt gärna | kör på | det var allt | inget mer | god morgon | god dag | god kväll | hej då | ett
      ögonblick | vänta lite | du har rätt | nej tack | tak skal du have | mange tak | tusind tak | tusen takk
      | mange takk | ingen problem | intet problem | helt i orden | det er i orden | det er fint | lyder godt
      | høres bra ut | neste spørsmål | næste spørgsmål | gå videre | jeg er enig | det giver mening | det gir
      mening | helt enig | alt i orden | nei takk | nej tak | hvad så nu | vad händer nu | vad kommer härnäst |
      det låter rimligt | det låter utmärkt | låter toppen | fortsätt | vi kan fortsätta | vi kan gå vidare | låt oss gå vidare | låt oss fortsätta | nästa fråga tack | helt rätt | helt riktigt | precis så | just det | just så | det är rätt | det är riktigt | det är bra | det är klart | det funkar | funkar för mig | det passar mig | passar bra | ja visst | javisst | det gör jag | det gör vi | jag är redo | jag är med | tack för hjälpen | tack för det | tack då | ha det bra | vi hörs | vi ses | bra jobbat | mycket bra | inga synpunkter | inget att tillägga | vi kan fortsette | la oss gå videre | lad os gå videre | det høres bra ut | det lyder godt | det er greit | det er riktig | det er rigtigt | forstået | forstått | det passer fint | helt fint | ja tak | ja takk | selv tak | velbekomme | bare hyggelig | det var alt | ikke mer | ikke mere`,
    alone: 'nej nei näe nä inget intet ingenting',
  },
  fi: {
    core: `kyllä joo juu jep okei ok hyvä hyvin hyvältä selvä selvää selväksi kiitos kiitti kiitoksia täydellistä täydellinen loistava
      loistavaa mahtavaa mahtava hienoa hieno erinomaista erinomainen ymmärrän ymmärretty tajusin juuri aivan niin totta oikein
      samaa ehdottomasti tietysti totta-kai varmasti jatka jatketaan jatkakaa seuraava seuraavaan hei moi terve valmis
      kiinnostavaa ehkä luultavasti sopii kuulostaa mennään`,
    glue: `minä minun me meidän sinä te se tämä on ovat oli olen ja nyt sitten myös erittäin kaikki tässä voi voimme kysymys kysymykseen
      kohta vaikuttaa luulen ajatus idea eteenpäin mieltä paljon oikein ole hyvä minusta näin vain`,
    phrases: `ei ongelmaa | ei mitään ongelmaa | ei kysymyksiä | ei muuta | siinä kaikki | kiitos paljon | paljon
      kiitoksia | suuret kiitokset | kuulostaa hyvältä | olen samaa mieltä | samaa mieltä | hyvä idea | hyvä
      kysymys | seuraava kysymys | mennään eteenpäin | käy järkeen | hyvää huomenta | hyvää päivää | näkemiin
      | hetkinen | ole hyvä | totta kai | ei kiitos | mitä seuraavaksi | niin on | olet oikeassa | sopii
      minulle |
      jatketaan vain | jatka vain | voidaan jatkaa | mennään seuraavaan | seuraavaan kysymykseen | siirrytään eteenpäin | siirrytään seuraavaan | täysin samaa mieltä | olen täysin samaa mieltä | se on totta | se on selvä | asia selvä | ihan hyvä | ihan ok | oikein hyvä | todella hyvä | hyvä juttu | ei lisättävää | ei kommentoitavaa | ei muuta lisättävää | ei hätää | kiitos avusta | kiitos selvennyksestä | olen valmis | aloitetaan | se sopii | sopii hyvin | juuri näin | juuri niin | niin juuri | hyvää päivänjatkoa | nähdään`,
    alone: 'ei',
  },
  tr: {
    core: `evet tamam tamamdır olur iyi güzel harika mükemmel süper muhteşem teşekkürler teşekkür sağol sağolun eyvallah anladım
      anlaşıldı anlaştık doğru kesinlikle elbette tabii tabi aynen katılıyorum haklısın haklısınız devam sonraki sıradaki ilerle
      ilerleyelim geç geçelim merhaba selam hazırım hazır ilginç belki muhtemelen peki pekala pekâlâ hadi haydi oldu uygun
      açık mantıklı hoş`,
    glue: `ben bana biz bize sen sana siz bu şu o bir ve ile için de da mi mı şimdi artık çok her şey hepsi soru soruya sorular konu adım
      geliyor görünüyor kulağa bence fikir ederim ederiz edelim edin et edebilirsin edebiliriz edebilirsiniz lütfen o zaman öyle
      olsun böyle ki daha`,
    phrases: `çok teşekkürler | çok teşekkür ederim | teşekkür ederim | sorun değil | sorun yok | problem yok | hiç
      sorun değil | kulağa hoş geliyor | kulağa iyi geliyor | iyi fikir | güzel fikir | iyi soru | sonraki
      soru | sıradaki soru | devam et | devam edin | devam edelim | hadi devam | başka bir şey yok | bu kadar
      | hepsi bu | soru yok | sorum yok | günaydın | iyi günler | iyi akşamlar | görüşürüz | hoşça kal | bir
      dakika | bir saniye | rica ederim | neden olmasın | hayır teşekkürler | aynı fikirdeyim | sırada ne var
      | ne güzel | tabii ki |
      aynı fikirdeyiz | tamamen katılıyorum | kesinlikle katılıyorum | size katılıyorum | sonraki soruya geçelim | sıradaki soruya geçelim | sonrakine geçelim | bir sonraki soru | bir sonraki soruya geçelim | bir sonraki lütfen | devam edebiliriz | devam edebilirsiniz | devam lütfen | devam edelim lütfen | geçebiliriz | gayet açık | gayet iyi | çok iyi | çok güzel | çok mantıklı | bana uyar | bize uyar | benim için uygun | benim için sorun yok | bence de | bence uygun | itirazım yok | itiraz yok | ekleyecek bir şey yok | eklemek istediğim bir şey yok | benden bu kadar | yardımın için teşekkürler | açıklama için teşekkürler | başlayalım | hazırız | başlayabiliriz | iyi çalışmalar | kolay gelsin | sağ ol | sağ olun | aynen öyle | öyle | doğru söylüyorsun | doğru söylüyorsunuz | anlamış oldum | anladım teşekkürler`,
    alone: 'hayır yok',
  },
  id: {
    core: `ya iya yap yoi oke okay baik baiklah bagus siap mantap keren hebat sempurna sip setuju betul benar tepat paham mengerti
      dimengerti jelas tentu pasti terima-kasih makasih terimakasih lanjut lanjutkan teruskan berikutnya selanjutnya halo hai
      mungkin menarik boleh ayo mari silakan silahkan yoi cocok kasih`,
    glue: `saya aku kami kita anda kamu itu ini adalah yang di ke dari dengan untuk dan lalu sekarang sudah sangat sekali semua juga bisa
      pertanyaan poin topik langkah kedengarannya terdengar kelihatannya ide saja dulu lagi banyak pak bu mas terima`,
    phrases: `terima kasih | terima kasih banyak | makasih banyak | tidak masalah | tidak apa apa | ga masalah | gak
      masalah | masuk akal | saya setuju | saya mengerti | saya paham | pertanyaan berikutnya | pertanyaan
      selanjutnya | ide bagus | ide yang bagus | itu saja | tidak ada lagi | tidak ada pertanyaan | selamat
      pagi | selamat siang | selamat malam | sampai jumpa | tunggu sebentar | sebentar | sama sama | tidak
      terima kasih |
      lanjut saja | silakan lanjut | silakan lanjutkan | lanjut ke pertanyaan berikutnya | mari kita lanjutkan | mari lanjut | ayo lanjut | kita lanjut | saya sangat setuju | sangat setuju | setuju banget | saya rasa begitu | saya rasa iya | tentu saja | tentu | kedengarannya bagus | terdengar bagus | cukup jelas | sudah jelas | jelas sekali | sangat jelas | saya siap | ayo mulai | mari kita mulai | tidak ada masalah | tidak keberatan | tidak ada keberatan | tidak ada tambahan | cukup sekian | itu saja dari saya | terima kasih atas bantuannya | terima kasih atas penjelasannya | pertanyaan bagus | sampai nanti | betul sekali | benar sekali | tepat sekali | bagus sekali`,
    alone: 'tidak nggak enggak gak ga',
  },
  // most Vietnamese words become other words without their accents, so there are mainly phrases here
  vi: {
    core: 'vâng được nhé',
    glue: 'tôi mình bạn chúng ta này đó là thì rất lắm nhiều đi ạ nha với',
    phrases: `vâng ạ | dạ vâng | cảm ơn | cám ơn | cảm ơn bạn | đồng ý | tôi đồng ý | tôi hiểu | tôi hiểu rồi | hiểu rồi | đúng vậy |
      đúng rồi | được rồi | tiếp tục | tiếp tục đi | tiếp theo | câu hỏi tiếp theo | câu tiếp theo | không vấn đề |
      không sao | không có gì | không vấn đề gì | nghe hay đấy | nghe ổn đấy | tốt lắm | rất tốt | hay lắm | tuyệt vời |
      tất nhiên | chắc chắn | dĩ nhiên | xin chào | tạm biệt | hợp lý | có lý | chính xác | vậy thôi | hết rồi | ổn rồi`,
    alone: 'không',
  },
  ro: {
    core: `da desigur sigur bine bun bună perfect excelent minunat grozav super mulțumesc mersi înțeles înțeleg clar corect exact exactly
      adevărat acord absolut evident continuă continuați continuăm următoarea următorul mai-departe salut gata interesant poate
      probabil igen jó rendben szuper köszönöm köszi értem világos pontosan persze természetesen egyetértek folytasd folytassuk
      következő tökéletes remek kiváló nagyszerű szia sziasztok hello oké talán`,
    glue: `eu mie mi noi ne tu îți vă dumneavoastră asta acest este sunt e la în pe cu de și atunci acum foarte mult toate tot întrebare
      întrebarea întrebări punct pas sună pare cred idee vă rog te az a ez van és most nagyon minden kérdés kérdésre jöhet hangzik szerintem
      ötlet kérem is`,
    phrases: `de acord | sunt de acord | nicio problemă | nici o problemă | mulțumesc mult | mulțumesc frumos | sună
      bine | are sens | bună idee | bună ziua | bună dimineața | bună seara | la revedere | următoarea
      întrebare | să continuăm | mai departe | mergem mai departe | asta e tot | nimic altceva | un moment |
      ai dreptate | aveți dreptate | nu mulțumesc | cu plăcere | cum să nu | în regulă | nincs probléma |
      semmi gond | köszönöm szépen | nagyon köszönöm | következő kérdés | jól hangzik | menjünk tovább |
      tovább | jó ötlet | jó napot | jó reggelt | igazad van | nem köszönöm | egy pillanat | ennyi | rendben
      van |
      să trecem mai departe | putem continua | putem merge mai departe | trecem la următoarea | să trecem la următoarea întrebare | treci la următoarea | sunt complet de acord | complet de acord | total de acord | exact așa | așa este | așa e | e clar | este clar | totul e clar | totul este clar | foarte bine | foarte bun | e bine | e în regulă | îmi convine | mie îmi convine | îmi place | nicio obiecție | nicio întrebare | nu am întrebări | nimic de adăugat | mulțumesc pentru ajutor | mulțumesc pentru explicație | sunt gata | să începem | putem începe | o zi bună | pe curând | bună întrebare | de ce nu | cu siguranță | egyetértek veled | teljesen egyetértek | menjünk a következőre | jöhet a következő | jöhet a következő kérdés | folytathatjuk | mehetünk tovább | minden világos | minden rendben | ez így jó | így van | így jó | nagyon jó | jó kérdés | nincs kérdésem | nincs kérdés | köszönöm a segítséget | készen állok | kezdhetjük | miért ne | persze hogy`,
    alone: 'nu nimic nem',
  },
};
