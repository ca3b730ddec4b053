import { flag, float, int, record } from '../formats/value-types.ts';

const watts = (value: number, description: string) => float({ default: value, min: 0, max: 1000, description });

export const insights = record(
  {
    enabled: flag({ default: true, description: 'Show what hibernation saves.' }),
    defaultCPUCores: float({
      default: 0.25,
      min: 0,
      max: 1024,
      description: 'Cores of a container without a CPU request.',
    }),
    defaultMemoryGB: float({
      default: 0.5,
      min: 0,
      max: 65_536,
      description: 'Memory of a container without a memory request.',
    }),
    cpuWattsPerVCPU: record(
      {
        amd64: watts(2.3, 'Watts of a virtual CPU on amd64.'),
        arm64: watts(1.084, 'Watts of a virtual CPU on arm64.'),
      },
      { description: 'Power of a virtual CPU.' },
    ),
    memoryWattsPerGB: watts(0.392, 'Watts of a gigabyte of memory.'),
    pue: float({ default: 1.14, min: 1, max: 10, description: 'Power usage effectiveness of the data centre.' }),
    gridIntensityGCO2ePerKWh: int({
      default: 298,
      min: 0,
      max: 10_000,
      description: 'Grams of CO2e in a kilowatt-hour.',
    }),
  },
  { description: 'Savings and sustainability.' },
);
