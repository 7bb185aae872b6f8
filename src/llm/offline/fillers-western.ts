import type { FillerWords } from './fillers.ts';

/** German, French, Spanish, Italian, Portuguese, Dutch. */
export const WESTERN_FILLERS: Readonly<Record<string, FillerWords>> = {
  de: {
    core: `ja jo jep jepp jup jawohl jaja joa okay gut prima super toll klasse perfekt spitze wunderbar ausgezeichnet hervorragend
      grossartig genial danke dankeschon dankesehr merci weiter genau richtig stimmt korrekt einverstanden verstanden verstehe
      klar alles-klar natürlich selbstverständlich sicher gerne gern bitte passt hallo servus moin tschüss tschüs nächste nächster
      nächstes weitermachen fertig bereit interessant logisch absolut definitiv bestimmt sicherlich vielleicht wahrscheinlich
      gewiss freilich geil cool fein schön sehrgut fortfahren überspringen los vielen-dank ebenso notiert
      total vollkommen völlig durchaus freut jawoll danköö dankeee verständlich nachvollziehbar sinnvoll dito okidoki okeydokey sehe
      vernünftig sinnvoll plausibel einleuchtend passend stimmig okidoki mega hammer bestens bestätigt bestätige angenommen abgemacht abgesegnet hurra bravo glückwunsch`,
    glue: `ich mir mich wir uns du dir dich sie ihr ihnen es das dies der die den dem ein eine einen ist sind war bin sei wäre hat
      haben mit für auf zu zur zum in im an am von und so dann jetzt nun mal doch auch sehr ganz viel vielen herzlichen alles
      bisher soweit gleich noch schon eben halt machen mach macht gehen geht gehts klingt hört sich an sieht aus finde denke
      glaube frage fragen punkt thema schritt können kann soll sollen lass lasst möchte würde sagen vernünftig hilfreich
      hier da dafür damit dazu idee ihre deine hilfe antwort wie wohl
      ruhig bitteschön unbedingt wirklich wir alle gesagt erstmal vorerst meinerseits unsererseits seite sie können rein wieder schön gerade sonst folgende folgenden hilft gefällt finden sagt mein meiner meinung nach`,
    phrases: `alles klar | vielen dank | danke schön | danke sehr | tausend dank | kein problem | kein thema | keine
      ursache | keine fragen | keine einwände | keine weiteren fragen | macht sinn | ergibt sinn | geht klar |
      los gehts | auf gehts | mach weiter | machen sie weiter | nur zu | weiter so | nichts weiter | sonst
      nichts | das wars | das ist alles | passt so | passt schon | guten morgen | guten tag | guten abend |
      gute nacht | grüss gott | auf wiedersehen | bis später | bis bald | moment | einen moment | sekunde |
      warte | in ordnung | geht in ordnung | von mir aus | meinetwegen | wie du meinst | wie sie meinen | was
      kommt als nächstes | wie gehts weiter | wie geht es weiter | nein danke | ach so | aha | na klar | na
      gut | na dann | aber sicher | aber gerne | aber natürlich | sehe ich auch so | sehe ich genauso | bin
      dabei | bin ich dabei | ganz meine meinung | weiss ich bescheid |
      mach mal weiter | weiter mit der nächsten | nächste frage | zur nächsten frage | machen wir weiter | machen wir so | können wir so machen | so machen wir das | das wäre alles | das wars von mir | von meiner seite | keine einwände | keine anmerkungen | nichts hinzuzufügen | nichts zu ergänzen | habe ich verstanden | hab ich verstanden | hab verstanden | ich verstehe | da stimme ich zu | stimme zu | ich stimme zu | stimme ich zu | ich bin bereit | kann losgehen | leg los | schiess los | fang an | fangen wir an | schönen tag | schönen abend | schönes wochenende | bis morgen | bis dann | ciao | tschau | sie haben recht | du hast recht | da hast du recht | stimmt genau | warum nicht | meine rede | gute frage | gute idee | guter punkt | nicht schlecht | kein ding | kein stress | nichts zu danken |
      hört sich vernünftig an | hört sich gut an | das hört sich gut an | klingt vernünftig | klingt nach einem plan | klingt nach einem guten plan | guter plan | guter ansatz | guter vorschlag | gute zusammenfassung | gutes argument | ich bin einverstanden | bin einverstanden | wir sind einverstanden | damit bin ich einverstanden | damit sind wir einverstanden | ich bin dafür | bin dafür | ich bin dabei | so ist es | so sehe ich das auch | das sehe ich auch so | das sehe ich genauso | denke ich auch | das denke ich auch | glaube ich auch | finde ich auch | finde ich gut | das finde ich gut | gefällt mir | das gefällt mir | mir gefällt das | das reicht | das genügt | das hilft mir | das hilft mir weiter | das war hilfreich | sehr hilfreich | sehr gut | sehr schön | sehr interessant | gut so | schon gut | schon ok | schon klar | ach ja | na ja | ja ja | oh ja | ah ja | aha verstehe | ah verstehe | ach so verstehe | ja bitte | ja gerne | ja klar | sag ich doch | genau das | genau so | genauso ist es | ganz genau | ganz recht | recht so | recht hast du | und weiter | und jetzt | was jetzt | was nun | was kommt jetzt | was kommt dann | wie weiter | stell die nächste frage | stellen sie die nächste frage | her mit der nächsten frage | gib mir die nächste frage | können wir weitermachen | wollen wir weitermachen | sollen wir weitermachen | dann weiter | dann mal los | dann los | auf zur nächsten | danach | nächstes thema | nächster punkt | nächster schritt | keine ergänzungen | keine anmerkung | passt perfekt | das passt | passt alles | alles gut | alles super | alles bestens | alles richtig | alles korrekt | alles verstanden | soweit klar | soweit alles klar | soweit gut | so weit so gut`,
    alone: 'nein nee nö ne nichts',
  },
  fr: {
    core: `oui ouais ouaip ouep okay daccord dac bien bon super parfait génial excellent top nickel impeccable merci compris entendu
      exact exactement correct vrai juste évidemment absolument certainement sûrement bonjour bonsoir salut coucou
      continuez continue continuons poursuivez poursuivons suivant suivante avancez avançons allez allons allez-y vas-y allons-y
      volontiers formidable magnifique chouette intéressant clair logique effectivement tout-à-fait bravo passons passez
      prêt prête peut-être ça-marche accord certes ok-ok parfaitement nickel
      totalement entièrement complètement exactement ravi ravie oki okey oké génialissime bonne-continuation dacc ouiii yes
      raisonnable logique cohérent pertinent plausible confirmé confirme approuvé adopté bingo youpi hourra félicitations merciii impec ouiii trop-bien`,
    glue: `passer poursuivre continuer avancer je me moi mon ma on nous notre tu te toi vous votre il elle ça cela cest ce cette le la les l un une des de du d est sont
      suis êtes à au aux pour sur dans en avec et donc alors maintenant très trop beaucoup bien tout tous va vais
      vas y peut peux pouvez pouvons question questions point sujet étape chose prochaine prochain semble me paraît trouve pense
      crois idée aussi encore juste sil plaît svp stp même comme voilà mille infiniment sincèrement
      comment pouvez veux voudrais peut reste avons avez ai sommes partant partante cela lui leur même côté mien vue point-de-vue fait faire dire dis dit comprends entends aime aimé plaît convient aide aidé explication explications réponse`,
    phrases: `d accord | bien sûr | ça marche | ça roule | ça va | ça me va | tout à fait | pas de problème | pas de
      souci | pas de soucis | aucun problème | aucun souci | aucune objection | pas de questions | je vois |
      je comprends | jai compris | je suis daccord | on continue | on y va | allons y | allez y | vas y | à la
      suite | la suite | la suite sil vous plaît | question suivante | point suivant | passons à la suite |
      sans problème | avec plaisir | de rien | je vous en prie | rien dautre | rien de plus | cest tout | cest
      bon | cest clair | cest noté | bonne idée | bonne journée | bonne soirée | à bientôt | à plus tard | à
      demain | au revoir | un instant | une seconde | attendez | comme vous voulez | et ensuite | et après |
      merci beaucoup | merci bien | non merci | si vous voulez | je pense que oui | je crois que oui | ça me
      paraît bien | vous avez raison | tu as raison | bien reçu | bien entendu | mais oui | pourquoi pas |
      cest parfait | cest bien ça | cest exact | cest juste | cest vrai | cest ça | cest cela | très bien | très bien merci | je suis prêt | je suis prête | on avance | on enchaîne | enchaînons | enchaînez | poursuivons | passez à la suite | passons à la suivante | à vous | de mon côté | pour ma part | rien à ajouter | rien à redire | pas dobjection | pas dobjections | ça me convient | ça me semble bon | ça me semble bien | ça a du sens | cela a du sens | cest logique | cest compris | message reçu | bien noté | je valide | validé | on est daccord | nous sommes daccord | entièrement daccord | tout à fait daccord | cest entendu | ça joue | pas mal | bonne question | bonne remarque | bonne nuit | bon après midi | bonne fin de journée | merci infiniment | merci pour votre aide | merci pour laide | merci pour lexplication | merci davance | un grand merci | à tout à lheure | quelle est la suite | on fait comme ça | faisons comme ça | sans souci | ok pour moi | bon pour moi | cest bon pour moi | non cest bon | non cest tout |
      cest raisonnable | cest cohérent | ça semble raisonnable | ça semble logique | ça a lair bien | ça a lair bon | ça paraît logique | ça paraît bien | ça tient la route | bon plan | bonne approche | bon résumé | belle synthèse | cest bien résumé | bien résumé | bien dit | bien joué | bien vu | je confirme | je suis pour | je suis partant | je suis partante | je suis du même avis | je pense la même chose | moi aussi | pareil | idem | de même | comme tu veux | comme tu dis | comme vous dites | vous pouvez continuer | tu peux continuer | tu peux y aller | vous pouvez y aller | on peut continuer | on peut avancer | on peut passer à la suite | on peut passer à la suivante | peut on continuer | on passe à la suite | on passe à la suivante | on passe à la question suivante | passons à la question suivante | passez à la question suivante | question suivante | prochaine question | une autre question | posez la question suivante | pose la suite | et maintenant | et la suite | ensuite | cest noté merci | cest top | cest super | cest génial | cest excellent | cest intéressant | très intéressant | très utile | très clair | très bonne question | ça maide | cela maide | ça mira | ça ira | ça suffit | ça va comme ça | jaime bien | jaime beaucoup | ça me plaît | ah ok | ah oui | ah bon daccord | ah je vois | oui oui | oui je confirme | oui je pense | oui absolument | oui voilà | voilà | voilà cest ça | plus ou moins | pas dautres questions | pas dautre question | plus de questions | plus rien | tout est clair | tout est bon | tout va bien | jusquici tout va bien`,
    alone: 'non nan rien si',
  },
  es: {
    core: `sí si sip vale ok okey bueno buena bien perfecto perfecta genial excelente estupendo fantástico fenomenal maravilloso
      gracias entendido comprendido claro correcto exacto exactamente cierto efectivamente totalmente absolutamente
      definitivamente desde-luego adelante continúa continúe continuemos continuar sigue siga sigamos seguimos siguiente próxima
      próximo hola listo lista dale venga órale ándale chévere bárbaro interesante acuerdo conforme recibido anotado buenísimo
      quizás quizá talvez probablemente avancemos avanza pasemos guay chido va seguro obvio
      perfectamente completamente comprendo estupenda buenísima sep sipi okis vale-vale coincido venga-va listos totalmente
      razonable lógico sensato coherente interesante confirmado confirmo aprobado aceptado apruebo bravo felicidades enhorabuena graciasss siii`,
    glue: `yo me mi nos nosotros tú te tu usted su ustedes es eso esto ese está están estoy son soy era lo la el los las un una de del
      al a para por en con y o entonces ahora muy mucho muchas muchos más todo todos todas que vamos voy va puede puedes
      podemos pregunta preguntas punto tema paso cosa parece suena creo pienso idea también favor así ya pues tan hasta aquí
      otra mil bastante
      tiene tienen tengo hay vea ver veo dijo dice sería está puede podría queda quedó gusta gustó hacer hagamos haz hacemos por-mi parte lado nuestra sido ayuda explicación respuesta estamos pasar pasamos siguientes conmigo contigo`,
    phrases: `de acuerdo | estoy de acuerdo | por supuesto | claro que sí | muchas gracias | mil gracias | muchísimas
      gracias | no hay problema | sin problema | ningún problema | no pasa nada | tiene sentido | me parece
      bien | me parece perfecto | suena bien | suena genial | ya veo | lo entiendo | entiendo | ya entendí |
      así es | eso es | eso es todo | es todo | nada más | nada que añadir | sin preguntas | siguiente
      pregunta | la siguiente | vamos a la siguiente | sigamos adelante | siga por favor | por favor continúe
      | buenos días | buenas tardes | buenas noches | buenas | hasta luego | hasta mañana | adiós | un momento
      | un segundo | espera | espere | como quieras | como usted diga | qué sigue | y ahora qué | tienes razón
      | tiene razón | buena idea | buena pregunta | con gusto | de nada | cómo no | vamos allá | no gracias |
      creo que sí | supongo que sí | qué bien | qué bueno | todo bien | todo claro | pues sí | ya está |
      tiene mucho sentido | tiene todo el sentido | me parece muy bien | me parece genial | me parece correcto | me parece razonable | pasemos a la siguiente | pasemos a lo siguiente | pasamos a la siguiente | podemos continuar | podemos seguir | por mí bien | por mí perfecto | por mi parte nada más | por mi parte todo bien | sin objeciones | ninguna objeción | ninguna pregunta | no tengo preguntas | no tengo más preguntas | no hay más | no hay de qué | queda claro | ha quedado claro | me queda claro | totalmente de acuerdo | completamente de acuerdo | estamos de acuerdo | es correcto | es cierto | es verdad | eso mismo | eso es correcto | efectivamente es así | qué interesante | qué genial | muy bien | muy bueno | muy amable | te lo agradezco | se lo agradezco | gracias por la ayuda | gracias por tu ayuda | gracias por la explicación | gracias de antemano | nos vemos | hasta pronto | feliz día | buen día | que tengas buen día | estoy listo | estoy lista | cuando quieras | cuando quiera | a por ello | dale nomás | lo que digas | por qué no | y luego | ya lo veo | ya veo gracias | bien dicho | me gusta | me encanta | muy claro |
      suena razonable | suena lógico | suena perfecto | suena interesante | parece razonable | parece bien | parece correcto | es razonable | es lógico | buen plan | buen enfoque | buen resumen | buen punto | buen trabajo | bien hecho | bien visto | lo confirmo | estoy a favor | a favor | opino lo mismo | pienso lo mismo | pienso igual | yo también | igualmente | lo mismo | lo mismo digo | como tú digas | puedes continuar | puede continuar | puedes seguir | puede seguir | podemos pasar a la siguiente | pasemos al siguiente | pasemos al siguiente punto | otra pregunta | otra pregunta por favor | hazme la siguiente pregunta | haz la siguiente pregunta | haga la siguiente pregunta | la siguiente pregunta | la siguiente pregunta por favor | continuemos con la siguiente | sigamos con la siguiente | y después | qué más | muy interesante | muy útil | muy buena pregunta | eso ayuda | me ayuda | con eso basta | es suficiente | suficiente | ah ok | ah vale | ah ya | ah entiendo | oh ya veo | sí sí | sí exacto | sí por favor | sí creo que sí | eso creo | así lo creo | yo creo que sí | más o menos | no más preguntas | todo perfecto | todo correcto | todo en orden | está bien | está bien así | está claro | está perfecto | hasta ahora bien | hasta aquí bien | hasta aquí todo bien`,
    alone: 'no nop nada ninguno',
  },
  it: {
    core: `sì si certo certamente okay bene benissimo buono buona ottimo ottima perfetto perfetta perfettamente fantastico eccellente
      splendido magnifico grande grazie capito inteso ricevuto chiaro chiarissimo esatto esattamente giusto corretto vero
      assolutamente sicuramente sicuro ovvio ovviamente naturalmente daccordo concordo avanti continua continui continuiamo
      continuare procedi proceda procediamo procedere prosegui proseguiamo prossima prossimo successiva successivo ciao salve
      buongiorno buonasera pronto pronta interessante forse probabilmente volentieri prego super bravo andiamo vai
      sicuramente totalmente completamente esattissimo benone ottimamente perfettissimo ok-ok vabbè vabbe okk magari
      ragionevole logico sensato coerente plausibile confermo confermato approvato accettato evviva complimenti graziee sii`,
    glue: `unottima unaltra io mi noi ci tu ti voi vi lei suo questo questa quello è sono sei siamo era lo la il i gli le un una di del della dello a al
      alla per in con su e o allora quindi ora adesso molto molte mille tanto tante tutto tutti più va vanno può puoi possiamo
      domanda domande punto tema passo cosa sembra pare suona penso credo idea anche favore pure così ok ancora davvero
      che hai ha ho abbiamo avete fare fatto facciamo posso possiamo passa passiamo parte mia nostra suoi serve aiuto spiegazione risposta piace piaciuto stato stata fin qui senso meglio proprio sì`,
    phrases: `va bene | va benissimo | d accordo | sono d accordo | grazie mille | molte grazie | tante grazie |
      nessun problema | non c e problema | non cè problema | non ci sono problemi | ha senso | mi sembra
      giusto | mi sembra bene | mi sta bene | ho capito | capisco | vedo | tutto chiaro | tutto bene | tutto
      qui | è tutto | nient altro | nientaltro | niente da aggiungere | nessuna domanda | prossima domanda |
      la prossima | andiamo avanti | vada avanti | vai avanti | passiamo alla prossima | per favore | buona
      giornata | buona serata | buona notte | a dopo | a presto | a domani | arrivederci | un momento | un
      attimo | un secondo | aspetta | come vuoi | come vuole | buona idea | ottima idea | bella domanda | hai
      ragione | ha ragione | con piacere | di niente | penso di sì | credo di sì | direi di sì | no grazie | e
      poi | cosa viene dopo | ci sto | siamo d accordo | per me va bene | per noi va bene | va avanti |
      certo che sì | ma certo | ma sì | per me ok | per me è ok | per me è perfetto | tutto a posto | tutto ok | a posto | a posto così | siamo a posto | ci siamo | possiamo proseguire | possiamo andare avanti | possiamo continuare | passiamo oltre | andiamo oltre | passiamo alla successiva | nulla da aggiungere | nulla da obiettare | nessuna obiezione | da parte mia è tutto | è chiaro | è tutto chiaro | molto chiaro | ha perfettamente senso | ha molto senso | mi torna | mi sembra ottimo | mi sembra corretto | mi sembra sensato | mi piace | ben detto | sono pronto | sono pronta | sono completamente d accordo | completamente d accordo | pienamente d accordo | perché no | grazie per l aiuto | grazie per laiuto | grazie della spiegazione | grazie infinite | grazie ancora | ti ringrazio | la ringrazio | di nulla | ci mancherebbe | figurati | buon lavoro | buona continuazione | ci vediamo | ci sentiamo | molto bene | bella idea | quando vuoi | spara | vai pure | continua pure |
      mi sembra un ottima idea | mi sembra una buona idea | un ottima idea | mi sembra ragionevole | mi sembra logico | mi sembra perfetto | sembra ragionevole | sembra ottimo | sembra buono | suona bene | suona ragionevole | è ragionevole | è logico | è corretto | è giusto | è vero | è perfetto | è interessante | buon piano | buon punto | bel riassunto | ottimo riassunto | ottimo lavoro | ben fatto | lo confermo | sono favorevole | la penso così | la penso allo stesso modo | penso lo stesso | anch io | anche io | idem | altrettanto | come dici tu | come dice lei | puoi continuare | può continuare | puoi andare avanti | può procedere | possiamo passare alla prossima | possiamo passare oltre | passiamo al prossimo punto | passiamo al punto successivo | un altra domanda | fammi la prossima domanda | mi faccia la prossima domanda | la prossima domanda per favore | la prossima per favore | e adesso | e ora | e dopo | poi | molto interessante | molto utile | mi aiuta | basta così | è sufficiente | ah ok | ah capisco | ah ho capito | ah va bene | sì sì | sì esatto | sì grazie | sì per favore | sì certo | sì penso di sì | più o meno | nessun altra domanda | tutto corretto | tutto perfetto | tutto in ordine | tutto giusto | fin qui tutto bene | fin qui tutto chiaro`,
    alone: 'no nulla niente',
  },
  pt: {
    core: `sim claro okay certo certa certamente bom boa bem ótimo ótima perfeito perfeita excelente maravilha maravilhoso fantástico
      beleza blz bacana fixe obrigado obrigada obg valeu vlw grato grata entendi entendido compreendido percebi
      combinado correto exato exatamente verdade realmente absolutamente totalmente concordo continue continua continuemos
      continuar prossiga prossigamos prosseguir siga seguimos próxima próximo seguinte avante avança vamos olá oi pronto pronta
      interessante talvez provavelmente sucesso top tranquilo positivo isso pode
      perfeitamente completamente sip simm okok tranquilamente ótimo-ótimo joia jóia dahora firmeza fechado fechou partiu bora confere anotado certíssimo
      razoável lógico lógica sensato coerente plausível confirmo confirmado aprovado aceito aceite parabéns oba simmm`,
    glue: `eu me mim nós nos tu te você vocês seu sua é está estão estou são sou era o a os as um uma de do da dos das ao à para pra por
      em na com e ou então agora muito muita muitas tudo todos mais vai pode podes podemos pergunta perguntas ponto tema
      passo coisa parece soa acho penso creio ideia também favor assim já aí até aqui bastante mesmo tá né
      que tem temos tenho ser seria pode posso fazer faz feito fica ficou gostei gosto lado minha parte nossa concordo ver vejo ajuda explicação resposta dizer disse por-mim passar passemos passamos próximas estamos bem foi obrigadão quanto`,
    phrases: `tudo bem | tudo certo | tudo claro | tudo ok | está bem | está bom | tá bom | tá bem | tá certo | tá
      ótimo | muito obrigado | muito obrigada | sem problema | sem problemas | não há problema | não tem
      problema | de acordo | estou de acordo | com certeza | faz sentido | me parece bem | parece bom | soa
      bem | eu entendo | entendo | já entendi | é isso | é isso aí | isso mesmo | é só isso | só isso | é tudo
      | mais nada | nada a acrescentar | sem perguntas | próxima pergunta | a próxima | vamos em frente |
      vamos lá | vamos continuar | pode continuar | pode seguir | pode ser | por favor | bom dia | boa tarde |
      boa noite | até logo | até mais | até amanhã | tchau | um momento | um instante | espera | como quiser |
      boa ideia | boa pergunta | tem razão | tens razão | você tem razão | de nada | acho que sim | creio que
      sim | não obrigado | não obrigada | e agora | o que vem a seguir | pois é | pois não | por mim tudo bem |
      faz todo o sentido | faz todo sentido | faz muito sentido | concordo plenamente | concordo totalmente | estamos de acordo | estou pronto | estou pronta | pode avançar | pode prosseguir | podemos continuar | podemos avançar | podemos seguir | passemos à próxima | passar para a próxima | vamos para a próxima | vamos à próxima | vamos seguir | segue o jogo | bora lá | sem objeções | sem dúvidas | sem dúvida | nenhuma objeção | nenhuma dúvida | nenhuma pergunta | não tenho perguntas | não tenho dúvidas | ficou claro | está claro | tudo entendido | muito bem | muito bom | muito claro | que bom | que ótimo | que legal | é verdade | é isso mesmo | está certo | está correto | está ótimo | está perfeito | isso aí | obrigado pela ajuda | obrigada pela ajuda | obrigado pela explicação | agradeço | agradecido | agradecida | por nada | não há de quê | de acordo então | quando quiser | por que não | porque não | vai em frente | segue em frente | siga em frente | por mim está bem | por mim ok | da minha parte é tudo | bom trabalho | boa continuação | gostei | me agrada |
      parece razoável | parece lógico | parece ótimo | parece perfeito | parece bem | soa razoável | é razoável | é lógico | é correto | é perfeito | é interessante | bom plano | bom resumo | bom ponto | bom trabalho | bem feito | bem dito | bem visto | eu confirmo | sou a favor | a favor | penso o mesmo | penso igual | eu também | também acho | também concordo | igualmente | idem | como você disser | pode ir | pode mandar | manda a próxima | manda ver | podemos passar à próxima | podemos passar para a próxima | passemos ao próximo | outra pergunta | outra pergunta por favor | faça a próxima pergunta | faz a próxima pergunta | a próxima pergunta | próxima pergunta por favor | e depois | e a seguir | o que mais | muito interessante | muito útil | muito boa pergunta | isso ajuda | me ajuda | é suficiente | suficiente | já chega | ah ok | ah tá | ah entendi | ah sim | sim sim | sim exato | sim por favor | sim acho que sim | mais ou menos | sem mais perguntas | tudo perfeito | tudo correto | tudo em ordem | até aqui tudo bem | até aqui tudo certo`,
    alone: 'não nao nada',
  },
  nl: {
    core: `ja jawel jazeker jep okay oké oke goed prima super top perfect uitstekend geweldig fantastisch mooi fijn leuk bedankt
      dank dankjewel dankuwel dankje dankzij begrepen snap duidelijk helder klopt juist precies inderdaad correct akkoord eens
      natuurlijk uiteraard zeker absoluut graag verder doorgaan volgende hallo hoi goedemorgen goedemiddag goedenavond doei dag
      klaar interessant logisch misschien waarschijnlijk genoteerd oki mee ga-door sla-over begin start
      volkomen helemaal totaal hartstikke tof heldere begrijpelijk topper yes joe oki-doki mooie aha
      redelijk logisch plausibel zinnig bevestigd bevestig akkoordje gefeliciteerd jaaa`,
    glue: `ik mij me wij we ons jij je jou u uw het dat dit die de een is zijn was ben er hier met voor op naar te in aan van en dus dan nu
      ook heel erg veel zo wel alles allemaal nog al even hoor gaan ga gaat laten laat maken vraag vragen punt onderwerp
      stap ding klinkt lijkt vind denk idee alstublieft alsjeblieft kunnen kan mag mij toe tot zover daar daarmee hartelijk
      hoor door naar maar-zo ermee hiermee mij betreft echt best zelfs kant wat-mij volgende onze zeg zegt zeggen doen doe vinden werkt past hebben heb heeft uitleg antwoord hulp`,
    phrases: `dank je | dank je wel | dank u | dank u wel | heel erg bedankt | geen probleem | geen punt | geen
      bezwaar | geen vragen | geen zorgen | helemaal goed | helemaal mee eens | mee eens | ga door | ga maar
      door | ga verder | gaat u verder | ga je gang | volgende vraag | de volgende | op naar de volgende |
      naar de volgende | laten we doorgaan | laten we verder gaan | kom maar op | vertel maar | maakt niet uit
      | dat is alles | dat was het | niets meer | verder niets | ik snap het | ik begrijp het | begrijp ik |
      snap ik | ik zie het | klinkt goed | klinkt logisch | lijkt me goed | lijkt me prima | goed idee | goede
      vraag | tot ziens | tot straks | tot morgen | goede morgen | fijne dag | een moment | momentje | even
      wachten | wacht even | wat mij betreft | is goed | komt goed | zo is het | doe maar | nee bedankt | nee
      dank je | nee hoor | en nu | wat nu | wat is de volgende | dat klopt | je hebt gelijk | u heeft gelijk |
      waarom niet | geen dank | graag gedaan |
      ga maar verder | ga maar door | ga gerust verder | ga gerust door | gaat uw gang | door naar de volgende | door met de volgende | verder met de volgende | klopt helemaal | dat klopt helemaal | helemaal juist | helemaal duidelijk | helemaal akkoord | helemaal prima | klinkt prima | klinkt goed wat mij betreft | past mij | werkt voor mij | werkt voor ons | geen bezwaren | geen opmerkingen | niets toe te voegen | niks | niks meer | dat is goed | dat is prima | dat is duidelijk | dat is waar | is duidelijk | is prima | ben het ermee eens | ik ben het ermee eens | ik ben het eens | we zijn het eens | ik ben klaar | ik ben er klaar voor | kunnen we door | we kunnen verder | we kunnen door | laten we beginnen | begin maar | steek van wal | brand los | bedankt voor de hulp | bedankt voor de uitleg | bedankt alvast | hartelijk dank | dank voor de uitleg | veel dank | fijn om te horen | tot later | tot dan | tot zo | goedenacht | goede avond | prettige dag | nee dat is alles | nee dat was het | nee prima |
      klinkt redelijk | klinkt als een plan | klinkt als een goed plan | goed plan | goede aanpak | goed punt | goede samenvatting | goed gedaan | goed gezegd | daar ben ik het mee eens | ben ik het mee eens | ik ben voor | dat denk ik ook | denk ik ook | dat vind ik ook | vind ik ook | dat vind ik goed | vind ik goed | bevalt me | dat bevalt me | ik ook | idem | zoals je wilt | zoals u wilt | je mag doorgaan | u kunt doorgaan | je kunt doorgaan | we kunnen doorgaan | kunnen we verder | zullen we verder gaan | zullen we doorgaan | volgende punt | volgende onderwerp | volgende stap | nog een vraag | stel de volgende vraag | de volgende vraag graag | de volgende graag | en dan | en verder | wat nog meer | heel interessant | heel duidelijk | heel goed | heel nuttig | zeer goed | zeer interessant | dat helpt | genoeg zo | ah oké | ah ja | oh ja | ja ja | ja precies | ja graag | ja zeker | ja inderdaad | min of meer | geen vragen meer | geen verdere vragen | alles duidelijk | alles goed | alles klopt | alles in orde | tot zover goed | tot zover duidelijk`,
    alone: 'nee neen niets nop',
  },
};
