/** Set phrases of conversation: what a phrase book lists, by what they are for. */
export interface SetPhrases {
  apology: string;
  greeting: string;
  farewell: string;
  /** Asking for a moment, to think or for whatever reason. */
  pause: string;
  praise: string;
  goOn: string;
}

/** Languages in Latin script. Phrases stand between bars, and every language has some for every purpose. */
export const LATIN_SET_PHRASES: Readonly<Record<string, SetPhrases>> = {
  en: {
    apology: `apologies | my apologies | i apologise | i apologize | excuse me | pardon me | sorry about that | sorry for that |
      sorry for the delay | sorry for the wait | sorry im late | forgive me`,
    greeting: `good morning | hello there | hi there | hello everyone | hope youre well | hope you are well | hope all is well |
      hope youre doing well | hope you are doing well | how are you | how are you doing | hows it going | good to see you`,
    farewell: `see you tomorrow | see you next week | see you on monday | goodbye | bye bye | bye for now | good night |
      thats all for today | that is all for today | thats it for today | thats all for now | enough for today |
      have a nice weekend | have a good weekend | have a great day | have a good day | until next time | take care`,
    pause: `one moment | just a moment | give me a moment | hold on a second | hang on a second | bear with me |
      wait a moment | wait a minute | wait a second | let me think | i need a moment | im thinking | be right back`,
    praise:
      'very helpful | very useful | that helps | that helped a lot | well put | well explained | good answer | impressive',
    goOn: 'lets go on | lets continue | lets proceed | on to the next one | on to the next point | next point | next topic | next step',
  },
  de: {
    apology: `entschuldigung | entschuldige | entschuldigen sie | verzeihung | sorry | tut mir leid | das tut mir leid |
      pardon | sorry für die verspätung | bitte um entschuldigung`,
    greeting: `guten morgen | guten tag | guten abend | hallo zusammen | hallo allerseits | hallo | moin | servus | grüß gott |
      wie geht es dir | wie gehts | wie geht es ihnen | grüezi`,
    farewell: `bis morgen | bis später | bis bald | bis dann | bis nächste woche | auf wiedersehen | tschüss | tschüs | ciao |
      schönen abend | schönen tag noch | schönes wochenende | schönen feierabend | mach es gut | machs gut | gute nacht |
      das wars für heute | das war alles für heute | genug für heute`,
    pause: `moment | moment bitte | einen moment | einen augenblick | augenblick bitte | eine sekunde | kurz warten | warte kurz |
      lass mich überlegen | lass mich kurz überlegen | lass mich nachdenken | ich überlege | ich denke nach | ich muss überlegen |
      mal sehen | bin gleich zurück`,
    praise: `sehr hilfreich | sehr nützlich | hilfreich | gute antwort | gut erklärt | gut gemacht | das hilft | das hilft mir |
      das hat geholfen | toll | großartig | ausgezeichnet`,
    goOn: `weiter gehts | weiter zum nächsten | zum nächsten punkt | weiter zum nächsten punkt | zur nächsten frage | zum nächsten thema |
      nächster punkt | nächstes thema | nächster schritt | gehen wir weiter | machen wir weiter | lass uns weitermachen`,
  },
  fr: {
    apology: `désolé | désolée | je suis désolé | je suis désolée | pardon | excusez moi | excuse moi | mes excuses | toutes mes excuses |
      navré | désolé pour le retard`,
    greeting: `bonjour | bonsoir | salut | bonjour à tous | salut tout le monde | coucou | ça va | comment ça va | comment allez vous |
      comment vas tu | j espère que vous allez bien | j espère que tu vas bien`,
    farewell: `à demain | à bientôt | à plus tard | à plus | à tout à l heure | à la semaine prochaine | au revoir | bonne soirée |
      bonne journée | bonne nuit | bon week end | bonne fin de journée | c est tout pour aujourd hui`,
    pause: `un instant | un moment | une minute | une seconde | un instant s il vous plaît | un instant s il te plaît | attends | attendez |
      je réfléchis | laisse moi réfléchir | laissez moi réfléchir | donne moi une minute | donnez moi une minute | je reviens | voyons`,
    praise: `très utile | très clair | utile | bonne réponse | excellente réponse | très bonne réponse | bien expliqué | bravo | génial |
      super | ça m aide | ça aide beaucoup | c est très utile`,
    goOn: `passons à la suite | passons à la question suivante | passons au point suivant | point suivant | question suivante |
      sujet suivant | étape suivante | on passe à la suite | on continue | poursuivons`,
  },
  es: {
    apology: `perdón | perdona | perdone | disculpa | disculpe | disculpas | lo siento | lo siento mucho | mis disculpas |
      perdón por la demora | perdón por el retraso`,
    greeting: `buenos días | buenas tardes | buenas noches | buenas | hola | hola a todos | qué tal | hola qué tal | cómo estás |
      cómo está | cómo va | espero que estés bien | espero que esté bien`,
    farewell: `hasta mañana | hasta luego | hasta pronto | hasta la próxima | nos vemos | nos vemos mañana | adiós | chao |
      buen fin de semana | que tengas un buen día | que tenga un buen día | buen día | eso es todo por hoy | es todo por hoy`,
    pause: `un momento | un momento por favor | un segundo | un minuto | espera | espere | espera un momento | déjame pensar |
      déjeme pensar | estoy pensando | dame un momento | deme un momento | a ver | ahora vuelvo`,
    praise: `muy útil | útil | muy claro | buena respuesta | excelente respuesta | bien explicado | genial | estupendo | fantástico |
      me ayuda mucho | eso me ayuda | bien hecho`,
    goOn: `pasemos al siguiente | pasemos al siguiente punto | pasemos a la siguiente pregunta | siguiente punto | siguiente tema |
      siguiente paso | sigamos adelante | sigamos | vamos adelante | adelante`,
  },
  it: {
    apology: `scusa | scusi | scusate | mi scusi | mi dispiace | mi spiace | chiedo scusa | perdonami | perdonate | scusa il ritardo |
      scusate il ritardo`,
    greeting: `buongiorno | buonasera | buon pomeriggio | ciao | ciao a tutti | salve | come va | come stai | come sta | tutto bene |
      spero che tu stia bene`,
    farewell: `a domani | a dopo | a presto | alla prossima | ci vediamo | ci vediamo domani | arrivederci | buona serata | buona giornata |
      buonanotte | buon fine settimana | buon weekend | per oggi è tutto | è tutto per oggi`,
    pause: `un attimo | un momento | un secondo | un minuto | aspetta | aspetti | fammi pensare | mi faccia pensare | lasciami pensare |
      ci penso | ci sto pensando | sto pensando | dammi un attimo | vediamo | torno subito`,
    praise: `molto utile | utile | molto chiaro | bella risposta | ottima risposta | buona risposta | ben spiegato | ottimo lavoro |
      mi aiuta molto | utilissimo | eccellente`,
    goOn: `passiamo al prossimo punto | passiamo alla prossima domanda | passiamo al punto successivo | prossimo punto | prossimo tema |
      prossimo passo | punto successivo | domanda successiva | andiamo oltre`,
  },
  pt: {
    apology: `desculpa | desculpe | desculpas | desculpem | me desculpe | peço desculpa | peço desculpas | sinto muito | perdão |
      lamento | com licença | desculpe a demora | desculpa a demora`,
    greeting: `bom dia | boa tarde | boa noite | olá | oi | olá a todos | tudo bem | como vai | como está | como estás | como você está |
      espero que esteja bem | e aí`,
    farewell: `até amanhã | até logo | até mais | até breve | até já | até a próxima | tchau | adeus | bom fim de semana |
      tenha um bom dia | boa noite | nos vemos amanhã | é tudo por hoje | por hoje é só`,
    pause: `um momento | um instante | um segundo | um minuto | só um momento | só um minuto | espera | espere | deixa eu pensar |
      deixe me pensar | deixa me pensar | me deixa pensar | estou pensando | estou a pensar | vou pensar | já volto | vejamos`,
    praise: `muito útil | útil | muito claro | boa resposta | ótima resposta | excelente resposta | bem explicado | ajudou muito |
      ajudou | isso ajuda muito | bom trabalho | incrível`,
    goOn: `vamos ao próximo ponto | vamos ao próximo | passemos ao próximo ponto | vamos para o próximo ponto | próximo ponto |
      próximo tema | próximo passo | vamos adiante | sigamos`,
  },
  nl: {
    apology: `sorry | sorry hoor | pardon | excuses | mijn excuses | excuseer | excuseer me | het spijt me | neem me niet kwalijk |
      sorry voor de vertraging`,
    greeting: `goedemorgen | goedemiddag | goedenavond | goedendag | hallo | hallo allemaal | hoi | hoi allemaal | dag allemaal |
      alles goed | hoe gaat het | hoe is het | hoe gaat het met je`,
    farewell: `tot morgen | tot straks | tot later | tot ziens | tot volgende week | doei | dag | fijne avond | fijne dag | fijn weekend |
      prettig weekend | welterusten | dat was het voor vandaag | genoeg voor vandaag`,
    pause: `momentje | een momentje | een ogenblik | ogenblikje | een moment | even wachten | wacht even | even denken | even nadenken |
      laat me denken | laat me nadenken | laat me even nadenken | ik denk na | een seconde | eens kijken | ben zo terug`,
    praise: `heel nuttig | erg nuttig | nuttig | erg handig | handig | heel behulpzaam | erg behulpzaam | behulpzaam | goed antwoord |
      goed uitgelegd | daar heb ik wat aan | knap | mooi werk`,
    goOn: `laten we verdergaan | laten we verder gaan | verdergaan | we gaan verder | volgende punt | volgend punt | volgend onderwerp |
      op naar het volgende punt | naar het volgende punt`,
  },
  sv: {
    apology: `förlåt | förlåt mig | ursäkta | ursäkta mig | jag ber om ursäkt | sorry | jag är ledsen | ledsen för det |
      ursäkta dröjsmålet | tyvärr förlåt`,
    greeting: `god morgon | god dag | god kväll | god eftermiddag | goddag | hej | hejsan | hej alla | hallå | tjena | hur mår du |
      hur är det | hur är läget | allt bra`,
    farewell: `hej då | hejdå | vi ses | vi ses i morgon | vi ses imorgon | vi hörs | vi hörs i morgon | god natt | trevlig helg |
      ha det bra | ha en bra dag | ha en trevlig kväll | på återseende | tills i morgon | det var allt för i dag | det var allt för idag`,
    pause: `ett ögonblick | ett ögonblick tack | en sekund | en minut | vänta | vänta lite | vänta en stund | låt mig tänka |
      låt mig fundera | jag tänker | jag funderar | jag måste tänka | få se | strax tillbaka`,
    praise: `jättebra | mycket bra | mycket hjälpsamt | väldigt hjälpsamt | hjälpsamt | mycket användbart | användbart | toppen |
      bra svar | bra förklarat | bra jobbat | det hjälper | utmärkt | fantastiskt`,
    goOn: `vi går vidare | gå vidare | låt oss fortsätta | låt oss gå vidare | nästa punkt | nästa ämne | nästa steg | vi fortsätter |
      vi kör vidare`,
  },
  pl: {
    apology: `przepraszam | przepraszam bardzo | bardzo przepraszam | wybacz | proszę wybaczyć | przykro mi | najmocniej przepraszam |
      przepraszam za opóźnienie | sorki`,
    greeting: `dzień dobry | dobry wieczór | cześć | cześć wszystkim | witam | witaj | hej | siema | jak się masz | co słychać | co u ciebie |
      jak leci`,
    farewell: `do jutra | do widzenia | do zobaczenia | na razie | do usłyszenia | miłego dnia | miłego wieczoru | miłego weekendu |
      dobranoc | pa | trzymaj się | to wszystko na dziś | to wszystko na dzisiaj`,
    pause: `chwileczkę | chwilę | chwila | moment | momencik | jedną chwilę | minutkę | sekundę | poczekaj | proszę czekać | zaczekaj |
      niech pomyślę | muszę pomyśleć | daj mi pomyśleć | daj mi chwilę | zastanawiam się | zaraz wracam | zobaczmy`,
    praise: `bardzo pomocne | pomocne | bardzo przydatne | przydatne | bardzo dobrze | dobra odpowiedź | świetna odpowiedź |
      dobrze wyjaśnione | świetna robota | to pomaga | to bardzo pomogło | brawo`,
    goOn: `idźmy dalej | chodźmy dalej | przejdźmy dalej | przejdźmy do następnego | przejdźmy do następnego punktu | następny punkt |
      następny temat | następny krok | kontynuujmy | kolejny punkt`,
  },
  cs: {
    apology: 'omlouvám se | promiňte | promiň | pardon | je mi líto | moc se omlouvám | omluvte mě',
    greeting:
      'dobrý den | dobré ráno | dobrý večer | ahoj | čau | zdravím | ahoj všichni | jak se máte | jak se máš',
    farewell:
      'na shledanou | nashledanou | uvidíme se zítra | tak zítra | zatím | mějte se | měj se | hezký den | hezký víkend | dobrou noc | to je pro dnešek vše',
    pause:
      'moment | momentík | chvilku | okamžik | počkejte | počkej | nechte mě přemýšlet | musím přemýšlet | přemýšlím | hned jsem zpět',
    praise:
      'velmi užitečné | užitečné | moc užitečné | dobrá odpověď | skvělá odpověď | dobře vysvětleno | to pomohlo | dobrá práce',
    goOn: 'pojďme dál | pokračujme | další bod | další téma | další krok | přejděme dál | přejděme k dalšímu bodu',
  },
  fi: {
    apology: 'anteeksi | pahoittelut | olen pahoillani | pahoittelen | anteeksi viivästys',
    greeting:
      'hyvää huomenta | hyvää päivää | hyvää iltaa | huomenta | moi | hei | terve | mitä kuuluu | moi kaikille',
    farewell:
      'nähdään huomenna | nähdään | huomiseen | näkemiin | hei hei | moikka | hyvää yötä | hyvää viikonloppua | siinä kaikki tältä päivältä',
    pause:
      'hetki | hetkinen | pieni hetki | odota | odota hetki | anna minun miettiä | mietin | mietitään | palaan pian',
    praise:
      'erittäin hyödyllistä | hyödyllistä | hyödyllinen | hyvä vastaus | hyvin selitetty | tästä oli apua | hyvää työtä | loistavaa',
    goOn: 'mennään eteenpäin | jatketaan | seuraava kohta | seuraava aihe | seuraava askel | siirrytään seuraavaan | siirrytään eteenpäin',
  },
  tr: {
    apology: `özür dilerim | çok özür dilerim | kusura bakma | kusura bakmayın | pardon | affedersin | affedersiniz | üzgünüm |
      geciktiğim için özür dilerim`,
    greeting: `günaydın | iyi günler | iyi akşamlar | tünaydın | merhaba | merhabalar | selam | selamlar | nasılsın | nasılsınız | ne haber |
      naber | herkese merhaba`,
    farewell: `yarın görüşürüz | görüşürüz | görüşmek üzere | sonra görüşürüz | haftaya görüşürüz | hoşça kal | hoşça kalın | hoşçakal |
      güle güle | iyi geceler | iyi hafta sonları | iyi çalışmalar | kendine iyi bak | bugünlük bu kadar`,
    pause: `bir dakika | bir dakika lütfen | bir saniye | bir an | bekle | bekleyin | biraz bekle | bir düşüneyim | düşüneyim | düşünüyorum |
      biraz düşüneyim | düşünmem lazım | hemen dönüyorum | bakalım`,
    praise: `çok faydalı | faydalı | çok faydalı oldu | çok yararlı | yararlı | çok yardımcı oldu | güzel cevap | iyi cevap | iyi açıkladın |
      aferin | tebrikler | harika iş`,
    goOn: `devam edelim | ilerleyelim | sonraki konu | sonraki madde | sonraki adım | sıradaki soru | sıradaki | bir sonrakine geçelim |
      sonrakine geçelim | geçelim`,
  },
  id: {
    apology: 'maaf | mohon maaf | maafkan saya | minta maaf | maaf ya | maaf terlambat | permisi',
    greeting:
      'selamat pagi | selamat siang | selamat sore | selamat malam | halo | hai | halo semua | apa kabar',
    farewell:
      'sampai besok | sampai jumpa | sampai jumpa besok | sampai nanti | selamat tinggal | dadah | selamat akhir pekan | sekian untuk hari ini',
    pause:
      'sebentar | tunggu | tunggu sebentar | sebentar ya | satu menit | biar saya pikir | biarkan saya berpikir | saya pikirkan dulu',
    praise:
      'sangat membantu | sangat berguna | membantu sekali | jawaban bagus | jawaban yang bagus | penjelasan yang bagus | kerja bagus',
    goOn: 'mari lanjut | mari kita lanjutkan | ayo lanjut | poin berikutnya | topik berikutnya | langkah berikutnya',
  },
  vi: {
    apology: 'xin lỗi | tôi xin lỗi | rất xin lỗi | xin thứ lỗi | thành thật xin lỗi',
    greeting: 'xin chào | chào buổi sáng | chào bạn | chào mọi người | bạn khỏe không | chào',
    farewell:
      'hẹn gặp lại | hẹn gặp lại ngày mai | mai gặp lại | tạm biệt | chúc ngủ ngon | chúc cuối tuần vui vẻ | hôm nay thế thôi',
    pause:
      'chờ chút | chờ một chút | đợi chút | đợi một chút | một phút | để tôi suy nghĩ | để tôi nghĩ | tôi đang suy nghĩ',
    praise:
      'rất hữu ích | hữu ích | rất có ích | câu trả lời hay | trả lời hay | giải thích rất rõ | làm tốt lắm',
    goOn: 'chúng ta tiếp tục | hãy tiếp tục | điểm tiếp theo | chủ đề tiếp theo | bước tiếp theo | tiếp tục nào',
  },
  ro: {
    apology: 'scuze | îmi pare rău | mă scuzați | scuză-mă | îmi cer scuze | iertare | pardon',
    greeting:
      'bună dimineața | bună ziua | bună seara | bună | salut | salut tuturor | ce mai faci | ce mai faceți',
    farewell:
      'pe mâine | ne vedem mâine | ne vedem | la revedere | pa | noapte bună | o zi bună | weekend plăcut | asta e tot pentru azi',
    pause:
      'un moment | o clipă | o secundă | un minut | așteaptă | așteptați | lasă-mă să mă gândesc | mă gândesc | stai puțin',
    praise:
      'foarte util | util | foarte folositor | răspuns bun | bun răspuns | bine explicat | bravo | mă ajută mult',
    goOn: 'să mergem mai departe | mergem mai departe | să continuăm | punctul următor | următorul punct | următorul subiect | pasul următor',
  },
};
