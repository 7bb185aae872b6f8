/** Why a provider refuses every call, whatever is in it: until somebody changes the settings, trying again is of no use. */
export type SettingsFault = 'key' | 'permission' | 'model' | 'quota';

/** A provider as it was set up, with the names of the settings. */
export interface ProviderSetup {
  /** As people call it: `Anthropic`. */
  name: string;
  model: string;
  settings: {
    key: string;
    model: string;
    /** Where the server is one of many that can be set. */
    address?: string;
  };
}

/** What is wrong with the settings and which one to change, in words that anybody may read: no key, nothing of the provider's. */
export function settingsAdvice(fault: SettingsFault, { name, model, settings }: ProviderSetup): string {
  switch (fault) {
    case 'key':
      return `${name} does not accept the service's key. ${settings.key} has to be set to a valid one, and the service started again.`;
    case 'permission':
      return `${name} does not let the service's key use the model "${model}". ${settings.key} has to be set to a key that may, or ${settings.model} to another model, and the service started again.`;
    case 'model':
      return `${name} does not know the model "${model}", or has retired it. ${settings.model} has to be set to a model that it has${settings.address === undefined ? '' : `, or ${settings.address} to the address that it has with its version (as in /v1)`}, and the service started again.`;
    case 'quota':
      return `${name} has nothing left in the account of the service's key. The account has to be given more, or ${settings.key} set to another key and the service started again.`;
  }
}

/** The fault that a provider's status tells of; undefined for what is about the request, or passes by itself. */
export function settingsFault(status: number | undefined): SettingsFault | undefined {
  if (status === 401) return 'key';
  if (status === 403) return 'permission';
  return status === 404 ? 'model' : undefined;
}
