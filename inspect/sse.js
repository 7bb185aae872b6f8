/** Server-sent events out of the pieces of a response (WHATWG HTML, 9.2.6), of any cut. */

/** @typedef {{ id: string, event: string, data: string }} ServerEvent */

/**
 * @returns {(piece: string) => ServerEvent[]} takes the next piece, and gives the events that are whole with it
 */
export function createEventParser() {
  let rest = '';
  let id = '';
  let event = '';
  /** @type {string[]} */
  let data = [];

  /** @param {string} line @returns {ServerEvent | null} */
  function read(line) {
    if (line === '') {
      const whole = data.length > 0 ? { id, event: event || 'message', data: data.join('\n') } : null;
      event = '';
      data = [];
      return whole;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    return null;
  }

  return (piece) => {
    rest += piece;
    // a carriage return at the end may be half of a line break
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    return lines.map(read).filter((one) => one !== null);
  };
}
