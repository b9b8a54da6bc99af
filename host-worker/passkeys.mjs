// Calls the module that verifies passkeys. wasm catches no trap of another module, so a trap becomes an exception here.
import { __wbg_reset_state as startNewInstance, register as moduleRegister, signIn as moduleSignIn } from "passkeys-module";

const withoutTrap = (call) => (...given) => {
  try {
    return call(...given);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) startNewInstance();
    throw String(error);
  }
};

export const register = withoutTrap(moduleRegister);
export const signIn = withoutTrap(moduleSignIn);
