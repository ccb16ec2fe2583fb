/** The bundle loads in 60 ms, its single modules in 200 to 450 ms. That matters to a process that runs for seconds. */
declare module 'echarts/dist/echarts.esm.min.mjs' {
  export { init, setPlatformAPI } from 'echarts';
}
