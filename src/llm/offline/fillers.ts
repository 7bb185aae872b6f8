/**
 * What people write when they neither bring nor ask for information, by language. Everything is compared without case,
 * accents, apostrophes and punctuation (see `plain` in words.ts), so it is written here as it is spelt.
 */
export interface FillerWords {
  /** Words that make a message an acknowledgement by themselves. */
  core: string;
  /** Words that may stand beside them; by themselves they say nothing either way. */
  glue: string;
  /** Longer ones, one a line. */
  phrases: string;
  /** Words that are an acknowledgement only alone: "no" is one, "no good" is not. */
  alone: string;
}

/** English. */
export const ENGLISH_FILLERS: FillerWords = {
  core: `yes yeah yeh yep yup yea yah ya yas aye ok okay okey okie oki okeydokey dokey k kk y sure surely certainly absolutely
      definitely totally indeed exactly precisely correct right true agreed agree understood noted acknowledged roger ack
      gotcha great good nice cool fine perfect excellent awesome amazing wonderful fantastic brilliant lovely super splendid
      neat sweet alright alrighty allright aight righto ye thanks thank thx tnx thks ty tysm tyvm thankyou cheers hello hi hey
      hiya howdy greetings bye goodbye continue proceed next skip done ready hmm hm mhm mm mmm mmhm mhmm uhhuh uh um ah aha oh
      ooh wow lol haha hehe hah interesting clear sgtm lgtm np yw welcome sorry whatever nvm fair reasonable helpful useful
      sensible appreciated maybe perhaps probably possibly likewise ditto concur affirmative works start begin go plusone
      onward onwards advance resume marvellous superb terrific swell fab dope solid spot-on spoton understandable
      total totally moving splendidly nicely perfectly entirely completely wholeheartedly undoubtedly naturally obviously okthanks okthx kthx okiedokie yessir yepp yuppers thankss soundsgood looksgood gotit makessense noproblem
      plausible logical coherent terrific stellar superduper kewl yessss okeys okok thankies thanku thanx thnx ditto amen bravo congrats congratulations kudos touche true-dat word-up`,
  glue: `i me my im ive ill we us our were weve well you your youre it its this that thats these those there theres here is are
      was am be been do does did will would can could shall should may might let lets to the a an of for on in with at by and or
      so then now just please pls plz very really quite pretty much many too also all as like sounds sound sounding looks look
      looking seems seem feel feels think guess suppose believe say see know get got have has going gonna happy glad pleased
      everything keep move moving question questions one ones topic topics point points section part item step steps thing
      things probe idea answer explanation everybody folks guys man mate sir dude bro buddy bit little lot dear friend
      boss chief buddy pal mister madam maam everyone`,
  phrases: `makes sense | make sense | thanks again | thank you again | so far so good | so far | for the time being | move ahead |
      move forward | moving forward | moving along | good work | great work | nice work | good job | great job | nice job | ask me |
      go ahead and ask | first question | the first question | ask the first question | what do you want to know |
      what would you like to know | what do you need to know | what do you need from me | if you want | if you like |
      whatever you want | whatever you think | whatever you say | as you like | take your time | good stuff | give me a moment |
      give me a minute | give me a second | give me a sec | just a moment | just a minute | just a second | one second |
      one minute | see you tomorrow | see you later | see you soon | until tomorrow | until later | good day | love that | loving it |
      fine then | good call | great call | thats a wrap | all clear | crystal clear | loud and clear | no complaints |
      nothing to complain about | go right ahead | do go on | please do | do continue | over to you | back to you |
      the floor is yours | its all yours | be my guest | after you | of course | go on | go ahead | go for it | carry on | move on | keep going |
      keep them coming | fire away | ask away | shoot | bring it on | lead the way | sounds like a plan |
      sounds about right | no problem | no problem at all | not a problem | no worries | no objection | no
      objections | no questions | no further questions | no more questions | no thanks | no thank you |
      nothing else | nothing more | nothing to add | nothing further | thats all | that is all | thats it |
      that is it | thats everything | all set | up to you | your call | as you wish | if you say so | i see |
      got it | got that | get it | i hear you | copy that | will do | on it | you bet | my pleasure | same
      here | me too | same | love it | like it | i like that | well done | i think so | i guess so | i guess |
      i suppose | i suppose so | i believe so | i hope so | one moment | one sec | just a sec | a moment | a
      minute | a second | hold on | hang on | wait | brb | let me think | let me think about it | thinking |
      let me see | im back | im here | still here | when you are | whenever you are | get started | good
      morning | good afternoon | good evening | good night | have a nice day | have a good one | talk later |
      talk soon | see you | see ya | take care | why not | by all means | for sure | my bad | never mind |
      nevermind | no doubt | without a doubt | you know it | hell yes | hell yeah | oh well | what next |
      whats next | what is next | what comes next | whats the next question | what is the next question | what
      else | anything else | whats up | how are you | nice to meet you | looking forward to it | cant wait |
      im listening | im all ears | hit me | point taken | duly noted | noted with thanks | much obliged | i do
      | we do | it is | they are | yes they do | yes they have | it does | i did | we did | i will | we will |
      bring on | rock and roll | full steam ahead | next up | yes sir | couldnt agree more | could not agree
      more | couldnt have said it better | good to know | fair play | fair dos | cool beans | thats the one |
      long story | been there | aye aye | ten four | wrap it up | pass | i pass | next one | nothing from me |
      nothing from my side | nothing on my end | no more from me |
      i see what you mean | see what you mean | know what you mean | i know what you mean | i hear ya | from my side | from my end | on my side | on my end | for me | for us | talk to you later | talk to you soon | talk tomorrow | speak soon | makes total sense | makes perfect sense | makes a lot of sense | making sense | im with you | with you on that | with you there | im with you on that | im on board | on board with that | on the same page | were on the same page | were aligned | aligned | all aligned | youve got it | you got me | sure why not | could be | might be | well put | well said | couldnt be better | thats what i think | thats what i thought | thats how i see it | that covers it | that covers everything | that answers my question | that clears it up | clears it up | cleared up | that helps | this helps | that helped | this is great | keep it coming | lets roll | roll on | lets proceed | lets hear it | hear it | lets see | lets wrap up | wrap up | onto the next | on to the next | on to the next one | over and out | good for me | good with me | good with that | fine with that | fine with me | fine by us | okay by me | cool with me | cool with that | happy with this | in agreement | full agreement | were good | were all good | im good | all yours | appreciate it | appreciate that | appreciate your help | i appreciate it | thanks for your help | thanks for the help | thanks for that | thanks for this | thanks for explaining | thanks for clarifying | thanks for the explanation | thanks for the clarification | thanks for the info | thanks in advance | nothing from us | no issues | no issue | no concerns | no comments | no comment | no questions from me | none from me | rest is fine | looks good to me | looking good | not at all | welcome back | good luck | have fun | enjoy | sure do | sure is | it sure is | indeed it is | so be it | very well | oh i see | right you are | right on | right away | straight on | onwards and upwards | gladly | with pleasure | okey dokey | no more | enough for now | skip it | skip that | skip this | skip that one | pass on this one | pass on that one | come back to it | what do you have next | what have you got next | tell me when | say no more | i understand | i get that | i got you | i got this | understood thanks | roger roger |
      yeah no | yeah nah | no yeah | yes and yes | im happy with that | im happy with this | i am happy with that | i am happy with this | i am happy with it | were happy with that | we are happy with that | happy to continue | happy to proceed | happy to go on | happy to move on | nailed it | you nailed it | my thoughts exactly | exactly my thoughts | my thinking exactly | exactly what i was thinking | exactly what i think | exactly what i mean | exactly what i meant | thats what i meant | what i meant | bang on | on point | thats on point | hits the nail on the head | thats a yes | its a yes | that is a yes from me | yes from me | i second that | second that | seconded | i confirm | confirmed | i can confirm | can confirm | i approve | approved | accepted | i accept | as discussed | as expected | thought so | i thought so | i figured | figured as much | as you say | as you said | like you said | like you say | you said it | you do you | do it | do that | lets do it | lets do that | lets do this | lets go with that | lets go with it | go with that | go with it | go with this | thats settled | settled | sorted | all sorted | thats sorted | that sorts it | job done | moving right along | next in line | whos next | what now | now what | and now | and then | so what now | what are we doing next | what do we do next | where to next | where do we go from here | keep asking | keep em coming | ask the next one | ask me the next one | give me the next one | give me the next question | give me another one | give me another | another one | another question | another question please | hit me with the next one | send the next one | bring the next one | show me the next one | show me the next question | one more | one more please | more questions please | read you loud and clear | heard | i heard you | understood you | you were clear | thats understandable | thats understood | no need | no need to | thats not necessary | not necessary | not needed | nothing comes to mind | nothing i can think of | cant think of anything | cant think of anything else | nice to hear | good to hear | great to hear | glad to hear it | glad to hear that | sounds like it | sounds like that | looks like it | seems like it | seems so | it seems so | appears so | i imagine so | i would think so | id say so | i would say so | i should think so | more or less | pretty much | kind of | sort of | kinda | sorta | thats about it | about it | thats about right | about right | thats more like it | long live | okay then | all right | alright then | very good | very nice | very well then | very helpful | very clear | very interesting | quite right | quite so | too right | damn right | hear hear | here we go | there we go | there you go | lets have it | lets hear the next one | the next one | onto the next one | onto it | sounds like fun | sounds fun | sounds promising | sounds doable | promising | doable | works like a charm | like a charm | works a treat | like clockwork | magic | legend | youre the best | you are the best | you rock | youre a star | love this | i love it | i love that | i love this | i like this | i like it a lot | me likey | yay | woohoo | yippee | hooray | hurray | yas queen | woo | whoop | phew`,
  alone: 'no nope nah nay naw none nothing negative',
};

/** Any of the first before any of the second is praise: "great summary". */
export const PRAISE = {
  adjectives:
    'good great nice excellent perfect solid fair sensible reasonable fine lovely clear helpful useful interesting cool',
  nouns: `approach plan summary suggestion proposal direction start way recap overview list wording phrasing catch thinking
    explanation answer point idea question observation insight analysis framing structure progress`,
};

/** What a clause of thanks begins with; what the thanks are for is then of no matter. */
export const THANKS_FOR = `thanks for | thank you for | thanks so much for | thank you so much for | thanks a lot for | many thanks for |
  thank you very much for | thx for | cheers for | i appreciate | we appreciate | appreciate | danke für | danke dir für |
  danke ihnen für | vielen dank für | dankeschön für | merci pour | merci de | merci beaucoup pour | merci davoir |
  gracias por | muchas gracias por | mil gracias por | grazie per | grazie mille per | grazie della | grazie dell | grazie del |
  obrigado por | obrigado pela | obrigado pelo | obrigada por | obrigada pela | obrigada pelo | muito obrigado pela |
  muito obrigada pela | muito obrigado por | valeu pela | valeu pelo | bedankt voor | dank je voor | dank u voor |
  dank je wel voor | dziękuję za | dzięki za | bardzo dziękuję za | спасибо за | большое спасибо за | спасибо большое за |
  благодарю за | дякую за | щиро дякую за | děkuji za | díky za | tack för | tak for | takk for | mulțumesc pentru |
  ευχαριστώ για | شكرا على | شكراً على | شكرا ل | תודה על | terima kasih atas | makasih buat | cảm ơn vì`;
