/**
 * What is opened across threads and closed again: two ports, one for the caller's listener, one for what was opened. Each
 * keeps the other alive, whatever either side forgets, so both are let go when it is closed.
 */
import { proxy, releaseProxy } from 'comlink';

interface Closable {
  close(): unknown;
}

/** Lets go of a function of another thread; of one of this thread there is nothing to let go. */
function release(listener: object): void {
  const letGo: unknown = Reflect.get(listener, releaseProxy);
  if (typeof letGo === 'function') letGo();
}

/** Opens it with a listener that is called until it is closed; what is answered has to be closed by the caller. */
export async function openAcross<Message, Opened extends Closable>(
  listener: (message: Message) => void,
  open: (tell: (message: Message) => void) => Promise<Opened>,
): Promise<Opened> {
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    release(listener);
  };
  try {
    const opened = await open((message) => {
      if (isOpen) listener(message);
    });
    const close = async () => {
      await opened.close();
      end();
    };
    return proxy({ ...opened, close });
  } catch (error) {
    end();
    throw error;
  }
}
