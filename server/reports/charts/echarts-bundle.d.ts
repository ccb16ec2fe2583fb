/** The bundle loads in 60 ms, its parts one by one in 200 to 450 ms: a report's process lives for seconds. */
declare module 'echarts/dist/echarts.esm.min.mjs' {
  export { init, setPlatformAPI } from 'echarts';
}
