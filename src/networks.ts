import { BlockList, isIPv6 } from 'node:net';

/**
 * Addresses and networks as a list that an address can be looked up in.
 *
 * @param addresses each an IP address, or a network as `10.0.0.0/8`
 */
export function networksOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) {
    const [net = '', bits] = address.split('/');
    const family = isIPv6(net) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  return list;
}
