export { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
export { useElementSize, useMediaQuery } from '@mantine/hooks';
