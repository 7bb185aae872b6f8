import { withoutCourtesies } from '../llm/offline/without-courtesies.ts';

/** Characters of a message whose courtesies matter to a search: in a longer one they are lost among its words. */
const LONGEST = 2_000;

/** What a message is searched by, whichever model answers it: "Hi! Who decides? Thanks" asks for who decides. */
export const searchText = (message: string): string =>
  message.length > LONGEST ? message : withoutCourtesies(message);
