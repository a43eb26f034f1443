/** One short, quiet sound: made here, fetched from nowhere. A browser lets it be heard once the page was touched. */

const NOTES = [523.25, 659.25]; // Hz: C5, E5
const LENGTH = 0.18; // s each
const LOUD = 0.06; // of 1

/** @type {AudioContext | null} */
let context = null;

export async function chime() {
  try {
    context ??= new AudioContext();
    await context.resume();
    NOTES.forEach((pitch, n) => note(/** @type {AudioContext} */ (context), pitch, n * LENGTH));
  } catch (error) {
    console.warn("No sound can be made here.", error);
  }
}

/** @param {AudioContext} audio @param {number} pitch Hz @param {number} wait s */
function note(audio, pitch, wait) {
  const from = audio.currentTime + wait;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(LOUD, from + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + LENGTH);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(from + LENGTH);
}
