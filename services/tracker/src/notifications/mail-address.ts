const ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]{1,64}@[^\s<>()\\,;:"@\p{Cc}]{1,255}$/u;

/** Whether mail can be sent to it as it is. */
export const isMailAddress = (text: string): boolean => ADDRESS.test(text);
